import { loadConfig } from '../../config/load-config.ts';
import { CLIError } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { askSettings } from '../init/ask-settings.ts';
import { addForgeRemote } from '../init/add-forge-remote.ts';
import { ignoreOwnFolders, newFiles, writeNewFile } from '../init/write-files.ts';
import type { WriteOutcome } from '../init/write-files.ts';
import { findRoot } from '../project/find-project.ts';
import { inspectForge } from '../project/inspect-forge.ts';
import { openForge } from '../project/open-forge.ts';
import { createQuestions, NO_QUESTIONS } from '../terminal/questions.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface InitOptions {
  readonly yes?: boolean;
  readonly forge?: 'embedded' | 'github';
}

/** Sets up a repository. Nothing that is there is overwritten without asking. */
export async function init({ terminal, cwd }: Context, options: InitOptions): Promise<void> {
  const repoRoot = await findRoot(cwd);
  if (options.yes !== true && !terminal.canAsk) {
    throw new CLIError('There is nobody to ask here.', 'Use `decree init --yes --forge embedded` (or github).', {
      exitCode: EXIT.usage,
    });
  }
  const questions = options.yes === true ? NO_QUESTIONS : createQuestions(terminal);
  const answers = await askSettings(repoRoot, options.forge, questions);
  const mayOverwrite = (file: string) => questions.confirm(`${file} is there and different. Overwrite it?`);
  for (const file of await newFiles(answers)) {
    const outcome = await writeNewFile(repoRoot, file, mayOverwrite);
    terminal.print(`${OUTCOMES[outcome]} ${file.path.padEnd(30)} ${terminal.style('dim', file.purpose)}`);
  }
  const ignored = await ignoreOwnFolders(repoRoot);
  if (ignored.length > 0)
    terminal.print(`${OUTCOMES.written} ${'.gitignore'.padEnd(30)} ${terminal.style('dim', ignored.join(' '))}`);

  await prepareForge(repoRoot, terminal);
  printNextSteps(answers.forge, answers.defaultBranch, terminal);
}

const OUTCOMES: Readonly<Record<WriteOutcome, string>> = {
  written: 'written  ',
  unchanged: 'unchanged',
  kept: 'kept     ',
};

/** Labels, and for the embedded forge the remote. A forge that cannot be reached yet is no failure: doctor says why. */
async function prepareForge(repoRoot: string, terminal: Terminal): Promise<void> {
  try {
    const { config } = await loadConfig(repoRoot);
    const access = await openForge(config, repoRoot);
    try {
      const created = await terminal.progress('Making the labels', inspectForge(access).createLabels());
      terminal.print(
        `labels    ${created.length === 0 ? 'all there' : `${created.length} made on ${access.owner}/${access.repo}`}`,
      );
      if (config.forge === 'embedded' && access.gitURL !== undefined) {
        terminal.print(`remote    ${await addForgeRemote(repoRoot, access.gitURL)}`);
      }
    } finally {
      await access.close();
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    terminal.print(`labels    not made yet: ${reason}`);
  }
}

function printNextSteps(forge: 'embedded' | 'github', branch: string, { print, style }: Terminal): void {
  const remote = forge === 'embedded' ? 'decree' : 'origin';
  const steps = [
    ...(forge === 'github'
      ? ['put the ids of your GitHub App into decree.config.ts (see docs/getting-started.md)']
      : []),
    'run `decree doctor` and do what it says',
    'commit what was written',
    'write a spec in docs/specs/ and set its status to approved',
    forge === 'github' ? 'push it' : `start decree, and push it: git push ${remote} ${branch}`,
    ...(forge === 'github' ? ['start decree with `decree`'] : []),
  ];
  print(`\n${style('bold', 'Next:')}\n${steps.map((step, index) => `  ${index + 1}. ${step}`).join('\n')}`);
}
