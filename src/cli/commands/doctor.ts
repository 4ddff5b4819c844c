import path from 'node:path';
import { loadConfig } from '../../config/load-config.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import type { Context } from '../context.ts';
import { connect } from '../control/ask-engine.ts';
import type { CheckedRow } from '../doctor/check.ts';
import { check, ok, warning } from '../doctor/check.ts';
import { checkForge } from '../doctor/check-forge.ts';
import { checkAgents, checkDisk, checkGit, exists } from '../doctor/check-machine.ts';
import { EXIT } from '../exit-codes.ts';
import type { ExitCode } from '../exit-codes.ts';
import { findRoot, placesIn } from '../project/find-project.ts';
import { inspectForge } from '../project/inspect-forge.ts';
import { openForge } from '../project/open-forge.ts';
import { hasBranch, noBranch } from '../project/push-default-branch.ts';
import { redactSecrets } from '../redact-secrets.ts';
import { formatTable } from '../terminal/format-table.ts';
import { plainText } from '../terminal/plain-text.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Checks everything that decree needs. Each failure comes with what to do. */
export async function doctor(context: Context): Promise<ExitCode> {
  const rows = await context.terminal.progress('Looking at everything', examine(context));
  printFindings(rows, context.terminal);
  return rows.some(({ finding }) => finding.result === 'failed') ? EXIT.failed : EXIT.ok;
}

async function examine({ cwd, environment }: Context): Promise<CheckedRow[]> {
  const rows = [await checkGit(cwd)];
  // Everything else needs it, and would only repeat that it is missing.
  if (rows.some(({ finding }) => finding.result === 'failed')) return rows;
  let repoRoot = '';
  const repository = await check('git repository', 'Change into a checkout, or make one with `git init`.', async () => {
    repoRoot = await findRoot(cwd);
    return ok(repoRoot);
  });
  rows.push(repository);
  if (repository.finding.result === 'failed') return rows;

  let loaded: LoadedConfig | null = null;
  const configuration = await check('configuration', 'Correct it, or write one with `decree init`.', async () => {
    loaded = await loadConfig(repoRoot);
    return ok(path.basename(loaded.file));
  });
  rows.push(configuration);
  if (loaded !== null) rows.push(...(await examineProject(loaded, repoRoot, environment)));
  rows.push(...(await checkDisk(repoRoot)));
  return rows;
}

async function examineProject(
  { config }: LoadedConfig,
  repoRoot: string,
  environment: Context['environment'],
): Promise<CheckedRow[]> {
  const specs = await check('specs folder', '', async () => {
    const { specsDir } = config.specPoller;
    if (await exists(path.join(repoRoot, specsDir))) return ok(specsDir);
    return warning(`${specsDir} does not exist`, 'Make it and put a spec into it; `decree init` writes an example.');
  });
  return [specs, ...(await examineForge(config, repoRoot)), ...(await checkAgents(config, repoRoot, environment))];
}

async function examineForge(config: LoadedConfig['config'], repoRoot: string): Promise<CheckedRow[]> {
  const socket = await connect(placesIn(repoRoot).socket);
  socket?.destroy();
  if (config.forge === 'embedded' && socket !== null) {
    return [{ name: 'embedded forge', finding: ok('in use by the running engine') }];
  }
  const rows: CheckedRow[] = [];
  const opened = await check('forge', 'See the message.', async () => {
    const access = await openForge(config, repoRoot);
    try {
      rows.push(...(await checkForge(inspectForge(access), config)));
      const { defaultBranch } = config.specPoller;
      if (config.forge === 'embedded' && !(await hasBranch(repoRoot, defaultBranch))) {
        return warning(noBranch(defaultBranch), 'Commit something to it.');
      }
      return ok(`${config.forge}: ${access.owner}/${access.repo}`);
    } finally {
      await access.close();
    }
  });
  return [opened, ...rows];
}

function printFindings(rows: readonly CheckedRow[], { print, style }: Terminal): void {
  const marks = { ok: style('green', 'ok'), warning: style('yellow', 'warning'), failed: style('red', 'FAILED') };
  const clean = (text: string) => redactSecrets(plainText(text));
  print(
    formatTable(
      ['check', '', 'found'],
      rows.map(({ name, finding }) => [name, marks[finding.result], clean(finding.detail)]),
    ),
  );
  const troubles = rows.filter(({ finding }) => finding.result !== 'ok');
  if (troubles.length === 0) {
    print('\nEverything is there.');
    return;
  }
  print('\nWhat to do:');
  for (const { name, finding } of troubles) {
    if (finding.result !== 'ok') print(`  ${style('bold', name)}: ${clean(finding.fix)}`);
  }
}
