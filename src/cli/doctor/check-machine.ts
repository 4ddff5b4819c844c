import { access, readFile, statfs } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Config } from '../../config/schema.ts';
import { AGENT_ROLES } from '../../domain/run.ts';
import { probeSandbox } from '../../engine/runtime-adapter/guards/probe-sandbox.ts';
import { loadAgentDefinition } from '../../engine/runtime-adapter/load-agent-definition.ts';
import { runGitText } from '../../git/run-git.ts';
import { createJournalReader } from '../../journal/create-journal-reader.ts';
import { placesIn } from '../project/find-project.ts';
import type { CheckedRow, Finding } from './check.ts';
import { check, failed, ok, warning } from './check.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const OLDEST_GIT = [2, 38] as const;
const LEAST_GIGABYTES = 2;

export async function checkGit(cwd: string): Promise<CheckedRow> {
  return check('git', `Install git ${OLDEST_GIT.join('.')} or newer, and make sure that it is on PATH.`, async () => {
    const version = await runGitText(['--version'], { cwd });
    const [, major = 0, minor = 0] = /(\d+)\.(\d+)/.exec(version)?.map(Number) ?? [];
    const isOld = major < OLDEST_GIT[0] || (major === OLDEST_GIT[0] && minor < OLDEST_GIT[1]);
    return isOld ? failed(version, `Install git ${OLDEST_GIT.join('.')} or newer.`) : ok(version);
  });
}

/** Agents: their definitions, the SDK and its login, the sandbox. */
export async function checkAgents(config: Config, repoRoot: string, environment: Environment): Promise<CheckedRow[]> {
  return [
    await check('agents', '`decree init` writes the definitions that are missing.', async () => {
      const { agentPlanner, agentImplementor, agentReviewer, contextPaths } = config.agents;
      const names = [agentPlanner, agentImplementor, agentReviewer];
      for (const name of names) await loadAgentDefinition({ repoRoot, name, contextPaths });
      return ok(`${AGENT_ROLES.length} definitions in .claude/agents`);
    }),
    await check('Claude SDK', 'Install decree again: its dependency is missing.', findSDK),
    await check('Claude login', LOGIN_FIX, () => findLogin(environment)),
    await check('sandbox', 'Set agents.sandbox to another value.', async () => checkSandbox(config, environment)),
  ];
}

export async function checkDisk(repoRoot: string): Promise<CheckedRow[]> {
  return [
    await check('disk', 'Make room.', async () => {
      const { bavail, bsize } = await statfs(repoRoot);
      const free = (bavail * bsize) / 1e9;
      const text = `${free.toFixed(1)} GB free`;
      return free < LEAST_GIGABYTES
        ? warning(text, 'Each running agent has a worktree of its own: make room.')
        : ok(text);
    }),
    await check('journal', 'Move it away: decree then reads everything from the forge again.', async () => {
      const { journal: file } = placesIn(repoRoot);
      if (!(await exists(file))) return ok('none yet');
      const journal = createJournalReader(file);
      try {
        journal.check();
        return ok(`${journal.countEvents()} events`);
      } finally {
        journal.close();
      }
    }),
  ];
}

const LOGIN_FIX = 'Set ANTHROPIC_API_KEY, or log in once with `claude` (Claude Code).';

async function findSDK(): Promise<Finding> {
  const entry = fileURLToPath(import.meta.resolve('@anthropic-ai/claude-agent-sdk'));
  const text = await readFile(path.join(path.dirname(entry), 'package.json'), 'utf8');
  return ok(z.object({ version: z.string() }).parse(JSON.parse(text)).version);
}

/** Whether there is a login, not whether it is good: that would cost a request. */
async function findLogin(environment: Environment): Promise<Finding> {
  const variable = LOGIN_VARIABLES.find((name) => (environment[name] ?? '') !== '');
  if (variable !== undefined) return ok(`${variable} is set`);
  const folder = environment['CLAUDE_CONFIG_DIR'] ?? path.join(os.homedir(), '.claude');
  if (await exists(path.join(folder, '.credentials.json'))) return ok(`login of Claude Code in ${folder}`);
  if (process.platform === 'darwin') return warning('not in the environment; it may be in the keychain', LOGIN_FIX);
  return failed('none found', LOGIN_FIX);
}

const LOGIN_VARIABLES = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'CLAUDE_CODE_USE_BEDROCK',
  'CLAUDE_CODE_USE_VERTEX',
];

function checkSandbox({ agents }: Config, environment: Environment): Finding {
  if (agents.sandbox === 'off')
    return warning('off', "Set agents.sandbox to 'auto': without it agents can do what you can.");
  const obstacle = probeSandbox(environment['PATH'] ?? '');
  if (obstacle === null) return ok('bwrap starts');
  return agents.sandbox === 'required'
    ? failed(obstacle.reason, obstacle.fix)
    : warning(`${obstacle.reason}: agents run without a sandbox`, obstacle.fix);
}

export async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
