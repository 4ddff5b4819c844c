import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { RevisionProviderWriter } from '../../src/engine/ports.ts';
import { createDecreeClone, type DecreeClone } from '../../src/engine/runtime-adapter/workspace/decree-clone.ts';
import { extractPatch } from '../../src/engine/runtime-adapter/workspace/extract-patch.ts';
import { findConflicts } from '../../src/engine/runtime-adapter/workspace/find-conflicts.ts';
import { addWorktree, removeWorktree, type Worktree } from '../../src/engine/runtime-adapter/workspace/worktree.ts';
import type { EmbeddedForgeOptions } from '../../src/forge/create-embedded-forge.ts';
import { runGit, runGitText } from '../../src/git/run-git.ts';
import { createForgeWorld, type ForgeWorld } from '../contracts/provider-forge-world.ts';
import { people } from '../contracts/provider-world.ts';
import { toFastImport } from './git-oracle.ts';
import type { Snapshot } from './random-repository.ts';

const signal = new AbortController().signal;

/** The way of a patch from a worktree to the forge, and a person with a repository of their own beside it. */
export interface PublishingWorld {
  readonly forge: ForgeWorld;
  readonly clone: DecreeClone;
  readonly writer: RevisionProviderWriter;
  readonly workItemID: string;
  /** Commits a snapshot on top of `parent` (null: of nothing); returns the commit. It stays with the person. */
  commit(snapshot: Snapshot, parent: string | null): Promise<string>;
  /** Pushes commits, by branch. */
  push(branches: Readonly<Record<string, string>>): Promise<void>;
  /** A commit as the forge has it. */
  readCommit(sha: string): Promise<{ tree: string; parents: string[] }>;
  /** What git makes of merging a tree, committed on `parent`, with another commit. */
  merge(tree: string, parent: string, other: string): Promise<{ tree: string; conflicts: string[] }>;
  /** Git in the person's repository. It sees decree's objects too and, after `pull`, the forge's branches. */
  git(...args: string[]): Promise<string>;
  pull(): Promise<void>;
  /** A patch as an extractor would make it, unless `args` say otherwise. */
  diff(from: string, to: string, ...args: string[]): Promise<string>;
  openWorktree(startCommit: string): Promise<Worktree>;
  closeWorktree(worktree: Worktree): Promise<void>;
  extract(worktree: Worktree): ReturnType<typeof extractPatch>;
  close(): Promise<void>;
}

export async function createPublishingWorld(options?: Partial<EmbeddedForgeOptions>): Promise<PublishingWorld> {
  const dir = await mkdtemp(join(tmpdir(), 'decree-publishing-'));
  const forge = await createForgeWorld(options);
  const clone = createDecreeClone(dir, async () => ({ url: forge.forge.gitURL, authorization: '' }));
  const provider = forge.provider({ findConflicts: (ours, theirs) => findConflicts(clone, ours, theirs, signal) });
  const workItemID = await people(forge).openIssue({ title: 'Do it' });
  const cwd = join(dir, 'person.git');
  await mkdir(cwd);
  const env = { GIT_ALTERNATE_OBJECT_DIRECTORIES: join(clone.gitDir, 'objects') };
  const git = (...args: string[]): Promise<string> => runGitText(args, { cwd, env });
  await git('init', '--quiet', '--bare');
  await clone.prepare();
  const top = join(dir, 'worktrees');

  return {
    forge,
    clone,
    writer: provider.revisionWriter,
    workItemID,
    git,
    commit: async (snapshot, parent) => {
      const name = `refs/made/${crypto.randomUUID()}`;
      await runGit(['fast-import', '--quiet'], { cwd, env, input: toFastImport(snapshot, name, parent) });
      return git('rev-parse', name);
    },
    push: async (branches) => {
      const refs = Object.entries(branches).map(([branch, commit]) => `+${commit}:refs/heads/${branch}`);
      await git('push', '--quiet', forge.forge.gitURL, ...refs);
    },
    pull: async () => {
      await git('fetch', '--quiet', forge.forge.gitURL, '+refs/heads/*:refs/remotes/origin/*');
    },
    diff: async (from, to, ...args) => {
      const options = ['--binary', '--full-index', '--no-renames', '--unified=1000000000', ...args];
      return (await runGit(['diff', ...options, from, to], { cwd, env })).stdout.toString();
    },
    readCommit: async (commit_sha) => {
      const { owner, repo } = forge;
      const { data } = await forge.app.git.getCommit({ owner, repo, commit_sha });
      return { tree: data.tree.sha, parents: data.parents.map(({ sha }) => sha) };
    },
    merge: async (tree, parent, other) => {
      const identity = ['-c', 'user.name=person', '-c', 'user.email=person@localhost'];
      const ours = await git(...identity, 'commit-tree', tree, '-p', parent, '-m', 'ours');
      const args = ['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', ours, other];
      const { stdout } = await runGit(args, { cwd, env, exitCodes: [0, 1] });
      const [merged = '', ...conflicts] = stdout
        .toString()
        .split('\0')
        .filter((part) => part !== '');
      // Where a file meets a folder, git lists it under a name made of the commit's.
      const paths = conflicts.map((path) => path.replace(/~[0-9a-f]{40}(?:_\d+)?$/, ''));
      return { tree: merged, conflicts: [...new Set(paths)] };
    },
    openWorktree: async (commit) => {
      await clone.fetch(signal);
      const start = await clone.resolve(commit);
      if (start === null) throw new Error(`The forge does not have ${commit}.`);
      const sessionID = crypto.randomUUID();
      return addWorktree(clone, top, { sessionID, folder: join(top, sessionID), branch: null, start }, signal);
    },
    closeWorktree: (worktree) => removeWorktree(clone, top, worktree, { keepBranch: false }),
    extract: ({ folder, indexFile, start }) => extractPatch(clone, { folder, indexFile, start, setUpTree: start.tree }),
    close: async () => {
      await forge.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** Makes a folder hold exactly these files; a `.git` in it stays. */
export async function writeSnapshot(folder: string, snapshot: Snapshot): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder)) {
    if (name !== '.git') await rm(join(folder, name), { recursive: true, force: true });
  }
  for (const [path, { mode, content }] of snapshot) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    if (mode === '120000') await symlink(content, target);
    else await writeFile(target, content, { mode: mode === '100755' ? 0o755 : 0o644 });
  }
}
