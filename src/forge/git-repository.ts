import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runGit, runGitText } from '../git/run-git.ts';
import { parseCommit, serializeCommit } from './commit-format.ts';
import type { Commit } from './commit-format.ts';
import { compareTrees } from './diff.ts';
import type { FileDiff } from './diff.ts';
import { createObjectDatabase } from './object-database.ts';
import type { ObjectDatabase } from './object-database.ts';

/** The bare repository behind the forge. What can change is read from git at every call; the rest is remembered. */
export interface GitRepository {
  readonly path: string;
  readonly defaultBranch: string;
  readonly objects: ObjectDatabase;
  /** The SHA of a branch's tip, or null. */
  tip(branch: string): Promise<string | null>;
  /** Finds a commit by SHA, branch, tag or full ref name. */
  resolveCommit(name: string): Promise<string | null>;
  readCommit(sha: string): Promise<Commit | null>;
  writeCommit(commit: Commit): Promise<string>;
  /** Tips by branch name. */
  listBranches(): Promise<Map<string, string>>;
  /** False if the ref is no longer at `expected` (null: must not exist), or cannot have that name. */
  updateRef(ref: string, sha: string, expected: string | null): Promise<boolean>;
  isAncestor(ancestor: string, descendant: string): Promise<boolean>;
  mergeBase(a: string, b: string): Promise<string | null>;
  /** The merged tree, or null on a conflict. */
  mergeTrees(ours: string, theirs: string): Promise<string | null>;
  /** Commits that `to` has and `from` has not. */
  commitsBetween(from: string, to: string): Promise<string[]>;
  countCommits(from: string, to: string): Promise<number>;
  /** What `head` changed since it left `base`, file by file. */
  diff(base: string, head: string): Promise<FileDiff[]>;
  close(): Promise<void>;
}

export async function openGitRepository(path: string, defaultBranch: string): Promise<GitRepository> {
  await prepare(path, defaultBranch);
  const objects = createObjectDatabase(path);
  const git = (...args: string[]): Promise<string> => runGitText(args, { cwd: path });
  /** How many commits `to` is ahead of `from` on a short straight line; null if it is not that simple. */
  const straightDistance = async (from: string, to: string): Promise<number | null> => {
    let at = to;
    for (let steps = 0; steps < 50; steps += 1) {
      if (at === from) return steps;
      const [parent, ...others] = parseCommit((await objects.read(at))?.content ?? Buffer.alloc(0)).parents;
      if (parent === undefined || others.length > 0) return null;
      at = parent;
    }
    return null;
  };
  const mergeBase = remember(async (a: string, b: string) => {
    if ((await straightDistance(a, b)) !== null) return a;
    const { stdout, exitCode } = await runGit(['merge-base', a, b], { cwd: path, exitCodes: [0, 1] });
    return exitCode === 0 ? stdout.toString().trim() : null;
  });
  const commitsBetween = remember(async (from: string, to: string) => {
    const lines = await git('rev-list', `${from}..${to}`);
    return lines === '' ? [] : lines.split('\n');
  });
  const diffSince = remember((from: string, to: string) => compareTrees(path, from, to), 500);
  const commitOf = async (name: string): Promise<string | null> =>
    (await objects.info(`${name}^{commit}`))?.sha ?? null;
  const tip = async (branch: string): Promise<string | null> =>
    isRefName(`refs/heads/${branch}`) ? commitOf(`refs/heads/${branch}`) : null;
  return {
    path,
    defaultBranch,
    objects,
    tip,
    resolveCommit: async (name) => {
      if (isSHA(name)) return commitOf(name);
      if (!isRefName(`refs/${name}`)) return null;
      const known = name.startsWith('refs/') ? [name] : [`refs/heads/${name}`, `refs/tags/${name}`, `refs/${name}`];
      const found = await Promise.all(known.map(commitOf));
      return found.find((sha) => sha !== null) ?? null;
    },
    readCommit: async (sha) => {
      const object = isSHA(sha) ? await objects.read(sha) : null;
      return object?.type === 'commit' ? parseCommit(object.content) : null;
    },
    writeCommit: (commit) => objects.write('commit', serializeCommit(commit)),
    listBranches: async () => {
      const lines = await git('for-each-ref', '--format=%(objectname) %(refname:strip=2)', 'refs/heads/');
      return new Map(lines.split('\n').flatMap((line) => (line === '' ? [] : [[line.slice(41), line.slice(0, 40)]])));
    },
    updateRef: async (ref, sha, expected) => {
      const args = ['update-ref', ref, sha, expected ?? '0'.repeat(40)];
      return (await runGit(args, { cwd: path, exitCodes: [0, 1, 128] })).exitCode === 0;
    },
    isAncestor: async (ancestor, descendant) => (await mergeBase(ancestor, descendant)) === ancestor,
    mergeBase,
    mergeTrees: remember(async (ours: string, theirs: string) => {
      const base = await mergeBase(ours, theirs);
      if (base === null) return null;
      if (base === ours) return (await objects.info(`${theirs}^{tree}`))?.sha ?? null;
      const args = ['merge-tree', '--write-tree', '--no-messages', ours, theirs];
      const { stdout, exitCode } = await runGit(args, { cwd: path, exitCodes: [0, 1] });
      return exitCode === 0 ? stdout.toString().trim() : null;
    }),
    commitsBetween,
    countCommits: async (from, to) => (await straightDistance(from, to)) ?? (await commitsBetween(from, to)).length,
    diff: async (base, head) => diffSince((await mergeBase(base, head)) ?? base, head),
    close: () => objects.close(),
  };
}

export const isSHA = (text: string): boolean => /^[0-9a-f]{40}$/.test(text);

/** The rules of `git check-ref-format`, which also keep a name from being read as a revision expression. */
export function isRefName(name: string): boolean {
  return (
    /^refs\/[^/]/.test(name) &&
    !/[~^:?*[\\]|\.\.|@\{|\/\/|\/\.|\.lock(\/|$)|[/.]$/.test(name) &&
    !Buffer.from(name).some((byte) => byte <= 0x20 || byte === 0x7f)
  );
}

/** Written anew at each start: nothing that a damaged or edited file says is trusted. */
const CONFIGURATION = `[core]
	repositoryformatversion = 0
	bare = true
[http]
	receivepack = true
[receive]
	autogc = false
[uploadpack]
	allowAnySHA1InWant = true
	allowFilter = true
`;

async function prepare(path: string, defaultBranch: string): Promise<void> {
  if (!isRefName(`refs/heads/${defaultBranch}`)) throw new Error(`'${defaultBranch}' cannot be the name of a branch.`);
  await mkdir(path, { recursive: true });
  const isNew = await stat(join(path, 'HEAD')).then(
    () => false,
    () => true,
  );
  if (isNew) await runGit(['init', '--quiet', '--bare', '.'], { cwd: path });
  await writeFile(join(path, 'HEAD'), `ref: refs/heads/${defaultBranch}\n`);
  await writeFile(join(path, 'config'), CONFIGURATION);
}

/** Keeps the newest answers of a function of two object names, which never change. */
function remember<T>(compute: (a: string, b: string) => Promise<T>, limit = 2_000) {
  const answers = new Map<string, Promise<T>>();
  return (a: string, b: string): Promise<T> => {
    const key = `${a} ${b}`;
    const answer = answers.get(key) ?? compute(a, b);
    answers.delete(key);
    answers.set(key, answer);
    answer.catch(() => answers.delete(key));
    const [oldest] = answers.keys();
    if (answers.size > limit && oldest !== undefined) answers.delete(oldest);
    return answer;
  };
}
