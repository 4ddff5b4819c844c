import { Command, InvalidArgumentError, Option } from 'commander';
import type { Context } from './context.ts';
import type { ExitCode } from './exit-codes.ts';
import { EXIT } from './exit-codes.ts';

export interface Program {
  readonly command: Command;
  /** What the command that ran came to. */
  readonly exitCode: () => ExitCode;
}

/** The command line. Each command's own code is loaded only when it is called. */
export function createProgram(version: string, createContext: (isDebugging: boolean) => Context): Program {
  let exitCode: ExitCode = EXIT.ok;
  const program = new Command('decree')
    .description('A control plane for spec-driven development with AI agents.\nWithout a command: the terminal UI.')
    .version(version, '-V, --version', 'print the version')
    .option('--debug', 'stack traces, and the log of the engine on standard error')
    // Like every other message of decree.
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'decree: ')) })
    .showHelpAfterError('        Run `decree --help` for commands and examples.')
    .addHelpText('after', EXAMPLES)
    .exitOverride();

  /** Runs a command with its context and remembers its exit code. */
  function perform<Args extends unknown[]>(action: (context: Context, ...args: Args) => Promise<ExitCode | void>) {
    return async (...args: Args): Promise<void> => {
      const { debug } = program.opts<{ debug?: boolean }>();
      exitCode = (await action(createContext(debug ?? false), ...args)) ?? EXIT.ok;
    };
  }

  program
    .command('run')
    .description('run the engine without a screen')
    .requiredOption('--headless', 'print what happens instead of drawing a screen')
    .option('--json', 'print events as JSON lines; the log goes to standard error')
    .option('--assume-planned', 'at the very first start, take the approved specs as done')
    .action(
      perform(async (context, options: RunOptions) =>
        (await import('./commands/run-headless.ts')).runHeadless(context, options),
      ),
    );

  program
    .command('demo')
    .description('the whole loop on a sample repository, with scripted agents and no network')
    .option('--headless', 'print what happens instead of drawing a screen')
    .action(
      perform(async (context, options: { headless?: boolean }) =>
        (await import('./commands/demo.ts')).demo(context, options),
      ),
    );

  program
    .command('init')
    .description('set up this repository: configuration, agents, an example spec')
    .option('-y, --yes', 'ask nothing: take the defaults and overwrite nothing')
    .addOption(new Option('--forge <kind>', 'where work items and pull requests live').choices(['embedded', 'github']))
    .action(
      perform(async (context, options: { yes?: boolean; forge?: 'embedded' | 'github' }) =>
        (await import('./commands/init.ts')).init(context, options),
      ),
    );

  program
    .command('doctor')
    .description('check everything that decree needs, with a fix for each failure')
    .action(perform(async (context) => (await import('./commands/doctor.ts')).doctor(context)));

  program
    .command('plan')
    .description('have the planner look at the specs that are due')
    .requiredOption('--dry-run', 'show the plan and write nothing')
    .action(perform(async (context) => (await import('./commands/plan.ts')).planDryRun(context)));

  program
    .command('status')
    .description('what the running engine is doing')
    .option('--json', 'as JSON')
    .action(
      perform(async (context, options: { json?: boolean }) =>
        (await import('./commands/status.ts')).status(context, options),
      ),
    );

  program
    .command('runs')
    .argument('[session]', 'a session, or the beginning of one')
    .description('the newest runs of agents, or one of them in full')
    .option('-n, --limit <count>', 'how many', positive, 20)
    .action(
      perform(async (context, session: string | undefined, options: { limit: number }) =>
        (await import('./commands/runs.ts')).runs(context, session, options),
      ),
    );

  program
    .command('logs')
    .argument('<session>', 'a session, or the beginning of one')
    .description('what an agent said')
    .option('-f, --follow', 'go on until it has ended')
    .action(
      perform(async (context, session: string, options: { follow?: boolean }) =>
        (await import('./commands/logs.ts')).logs(context, session, options),
      ),
    );

  for (const [name, description] of ACTIONS) {
    program
      .command(name)
      .argument('<item>', 'number of the work item', itemNumber)
      .description(description)
      .action(perform(async (context, item: number) => (await import('./commands/act.ts')).act(context, name, item)));
  }

  program
    .command('replay')
    .description('decide on every kept event again and compare commands and states')
    .action(perform(async (context) => (await import('./commands/replay.ts')).replay(context)));

  program
    .command('hook')
    .description('decree as a hook of Claude Code')
    .command('bash')
    .description('a PreToolUse hook that blocks what agents of decree may not run')
    .action(perform(async (context) => (await import('./commands/hook-bash.ts')).hookBash(context)));

  // Last, since commands take over the settings of the program as they are when they are made.
  program.allowExcessArguments().action(
    perform(async (context) => {
      const [unknown] = program.args;
      if (unknown !== undefined) program.error(`error: there is no command '${unknown}'`);
      return (await import('./commands/open-tui.ts')).openTUI(context);
    }),
  );
  return { command: program, exitCode: () => exitCode };
}

export interface RunOptions {
  readonly json?: boolean;
  readonly assumePlanned?: boolean;
}

const ACTIONS = [
  ['dispatch', 'start an implementor on a work item'],
  ['review', 'start a reviewer on the pull request of a work item'],
  ['merge', 'merge the approved pull request of a work item'],
  ['cancel', 'end the agent on a work item, or the pause before its next attempt'],
] as const;

const EXAMPLES = `
Examples:
  decree demo                  see it work, in a minute, without any set-up
  decree init                  set up the repository you are in
  decree doctor                check that everything is there
  decree                       the terminal UI
  decree run --headless        the same without a screen
  decree dispatch 12           start an implementor on #12
  decree logs 3f2a --follow    watch the agent whose session begins with 3f2a

Exit codes:
  0  done    1  it did not work, or something is wrong    2  wrong arguments, repository or configuration
  3  no engine is running here    130  stopped at once`;

function itemNumber(text: string): number {
  const number = Number(text.replace(/^#/, ''));
  if (!Number.isSafeInteger(number) || number < 1) throw new InvalidArgumentError('Give its number, such as 12.');
  return number;
}

function positive(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1) throw new InvalidArgumentError('Give a whole number above zero.');
  return number;
}
