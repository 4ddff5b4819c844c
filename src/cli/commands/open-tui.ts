import { findConfigFile } from '../../config/load-config.ts';
import { CLIError } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { findProject, findRoot, placesIn } from '../project/find-project.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** The terminal UI on the repository around the current folder, or how to begin. */
export async function openTUI(context: Context): Promise<void> {
  const { terminal, cwd, isDebugging } = context;
  const repoRoot = await findRoot(cwd);
  if ((await findConfigFile(repoRoot)) === null) {
    explainBeginning(repoRoot, terminal);
    return;
  }
  const place = await findProject(cwd);
  if (!terminal.isScreen || !terminal.canAsk) {
    throw new CLIError('The terminal UI needs a terminal.', 'Use `decree run --headless` here.', {
      exitCode: EXIT.usage,
    });
  }
  const [{ createLogger }, { withEngine }, { loadTUI }] = await Promise.all([
    import('../create-logger.ts'),
    import('../project/with-engine.ts'),
    import('../terminal/show-tui.ts'),
  ]);
  const logger = createLogger(isDebugging ? 'debug' : place.config.logLevel, { file: placesIn(repoRoot).log });
  const { onFirstRun, show } = await loadTUI(context);
  await withEngine(context, place, { logger, onFirstRun }, (engine, { repository, pageURL, warnings }) =>
    show(engine, { repository: { name: repository, url: pageURL }, warnings }),
  );
}

function explainBeginning(repoRoot: string, { print, style }: Terminal): void {
  const command = (text: string) => style('cyan', text.padEnd(16));
  print(`${repoRoot} is not set up for decree yet.

decree turns approved specifications into reviewed pull requests: agents plan, implement and review; you merge.

  ${command('decree demo')} see it work first, on a sample repository, in about a minute
  ${command('decree init')} set up this repository: asks little, explains what it writes
  ${command('decree doctor')} then check that everything is there
  ${command('decree')} and start`);
}
