import { createHash } from 'node:crypto';
import { chmod, cp, lstat, mkdir, mkdtemp, readFile, readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RuntimeAdapterConfig, RuntimeAdapterDeps } from '../../src/engine/runtime-adapter/types.ts';
import { createDecreeClone } from '../../src/engine/runtime-adapter/workspace/decree-clone.ts';
import { runGitText } from '../../src/git/run-git.ts';
import { contextDeps, revision } from '../claude/context-deps.ts';
import { sampleWorkItem } from '../world/sample-work-item.ts';
import { createManualClock } from './manual-clock.ts';
import type { ManualClock } from './manual-clock.ts';

/** A forge (a bare repository on disk), a user's checkout of it, and what the engine would pass to an adapter. */
export interface RuntimeAdapterFixture {
  readonly remote: string;
  readonly checkout: string;
  /** The head of `main` on the forge. */
  readonly mainSHA: string;
  /** The head of `feature/login`, the branch of revision 9, on the forge. */
  readonly featureSHA: string;
  readonly config: RuntimeAdapterConfig;
  readonly deps: RuntimeAdapterDeps;
  readonly clock: ManualClock;
  /** Git in the forge. */
  readonly inRemote: (...args: string[]) => Promise<string>;
  /** Git in decree's own clone. */
  readonly inClone: (...args: string[]) => Promise<string>;
  /** Commits a file to a branch of the forge, as somebody else would. Returns the commit. */
  readonly push: (branch: string, path: string, content: string) => Promise<string>;
  /** Makes decree's own clone, as an earlier run would have. */
  readonly makeClone: () => Promise<void>;
  /** Puts a program on the agents' PATH. */
  readonly addProgram: (name: string, script: string) => Promise<void>;
  /** Everything in the user's checkout, decree's own folders aside, as one value. */
  readonly fingerprint: () => Promise<string>;
  /** Names of what is left in `.worktrees`, agents' branches, and what git keeps about worktrees. */
  readonly leftovers: () => Promise<string[]>;
  readonly close: () => Promise<void>;
}

/** Made from a copy of a template (`makeTemplate`), since making repositories takes longer than copying them. */
export async function createRuntimeAdapterFixture(template: string): Promise<RuntimeAdapterFixture> {
  const root = await mkdtemp(join(tmpdir(), 'decree-runtime-'));
  await cp(template, root, { recursive: true });
  const remote = join(root, 'forge.git');
  const checkout = join(root, 'checkout');
  const bin = join(root, 'bin');
  const clock = createManualClock();
  const inRemote = (...args: string[]): Promise<string> => git(remote, ...args);
  const inClone = (...args: string[]): Promise<string> => git(join(checkout, '.decree/repo.git'), ...args);
  const headOf = async (branch: string): Promise<string> =>
    (await readFile(join(remote, 'refs/heads', branch), 'utf8')).trim();
  const mainSHA = await headOf('main');
  const featureSHA = await headOf('feature/login');

  const { deps } = contextDeps({
    workItems: [sampleWorkItem(), sampleWorkItem({ id: '8', title: 'Polish login', linkedRevision: '9' })],
    bodies: { '7': 'Let people log in.', '8': 'Make it pretty.' },
    revisions: [revision({ headRef: 'feature/login', headSHA: featureSHA })],
    files: [{ path: 'login.txt', status: 'added', patch: '@@ -0,0 +1 @@\n+by the first run' }],
    history: {},
    checks: [],
    blobs: { [SPEC_BLOB]: SPEC },
  });

  return {
    remote,
    checkout,
    mainSHA,
    featureSHA,
    clock,
    config: {
      maxAgentDuration: 300,
      logging: { agentSessions: false, logsDir: join(root, 'logs') },
      repoRoot: checkout,
      defaultBranch: 'main',
      agentEnvironment: () => ({ PATH: `${bin}:${process.env['PATH'] ?? ''}`, HOME: root }),
    },
    deps: { ...deps, clock, gitAccess: async () => ({ url: remote, authorization: '' }) },
    inRemote,
    inClone,
    push: (branch, path, content) => push(remote, branch, path, content),
    makeClone: async () => {
      const clone = createDecreeClone(checkout, async () => ({ url: remote, authorization: '' }));
      await clone.prepare();
      await clone.fetch(new AbortController().signal);
    },
    addProgram: async (name, script) => {
      await writeFile(join(bin, name), `#!/bin/sh\n${script}\n`);
      await chmod(join(bin, name), 0o755);
    },
    fingerprint: () => fingerprintOf(checkout, ['.decree', '.worktrees']),
    leftovers: async () => [
      ...(await readdir(join(checkout, '.worktrees')).catch(() => [])),
      ...(await readdir(join(checkout, '.decree/repo.git/worktrees')).catch(() => [])),
      ...(await readdir(join(checkout, '.decree/repo.git')).catch(() => [])).filter((name) =>
        /^index|lock$/.test(name),
      ),
      ...(await inClone('for-each-ref', '--format=%(refname)', 'refs/heads').catch(() => ''))
        .split('\n')
        .filter(Boolean),
    ],
    close: () => rm(root, { recursive: true, force: true }),
  };
}

/** A folder with a forge, a user's checkout and a place for programs. The caller removes it. */
export async function makeTemplate(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'decree-template-'));
  const checkout = join(root, 'checkout');
  await mkdir(join(root, 'bin'));
  await mkdir(join(checkout, 'docs/specs'), { recursive: true });
  await writeFile(join(checkout, 'README.md'), '# Sample\n\nOne line.\n');
  await writeFile(join(checkout, SPEC_PATH), SPEC);
  await writeFile(join(checkout, '.gitignore'), 'node_modules\n');
  await git(root, 'init', '--quiet', '--bare', '--template=', '--initial-branch=main', 'forge.git');
  await git(root, 'init', '--quiet', '--template=', '--initial-branch=main', 'checkout');
  await git(checkout, 'remote', 'add', 'origin', '../forge.git');
  await git(checkout, 'add', '-A');
  await git(checkout, 'commit', '--quiet', '-m', 'First');
  await git(checkout, 'push', '--quiet', 'origin', 'main', 'main:refs/heads/feature/login');
  await push(join(root, 'forge.git'), 'feature/login', 'login.txt', 'by the first run\n');
  return root;
}

async function push(remote: string, branch: string, path: string, content: string): Promise<string> {
  const env = { GIT_INDEX_FILE: join(remote, `index-${crypto.randomUUID()}`) };
  const blob = await runGitText(['hash-object', '-w', '--stdin'], { cwd: remote, input: content });
  await runGitText(['read-tree', `refs/heads/${branch}`], { cwd: remote, env });
  await runGitText(['update-index', '--add', '--cacheinfo', `100644,${blob},${path}`], { cwd: remote, env });
  const tree = await runGitText(['write-tree'], { cwd: remote, env });
  const commit = await git(remote, 'commit-tree', tree, '-p', `refs/heads/${branch}`, '-m', `Change ${path}`);
  await git(remote, 'update-ref', `refs/heads/${branch}`, commit);
  return commit;
}

function git(cwd: string, ...args: string[]): Promise<string> {
  return runGitText(['-c', 'user.name=somebody', '-c', 'user.email=somebody@example.com', ...args], { cwd });
}

export const SPEC_PATH = 'docs/specs/login.md';
const SPEC = '---\nstatus: approved\n---\n\n# Login\n';
export const SPEC_BLOB = createHash('sha1').update(`blob ${SPEC.length}\0${SPEC}`).digest('hex');

async function fingerprintOf(folder: string, except: readonly string[]): Promise<string> {
  const lines: string[] = [];
  const visit = async (path: string): Promise<void> => {
    for (const name of (await readdir(join(folder, path))).toSorted()) {
      const inner = join(path, name);
      if (except.includes(inner)) continue;
      const found = await lstat(join(folder, inner));
      if (found.isDirectory()) await visit(inner);
      else {
        const content = found.isSymbolicLink()
          ? await readlink(join(folder, inner))
          : await readFile(join(folder, inner));
        lines.push(`${inner} ${found.mode} ${createHash('sha256').update(content).digest('hex')}`);
      }
    }
  };
  await visit('');
  return lines.join('\n');
}
