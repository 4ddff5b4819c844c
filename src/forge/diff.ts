import { runGit } from '../git/run-git.ts';

export interface FileDiff {
  readonly path: string;
  readonly previousPath: string | null;
  readonly status: 'added' | 'removed' | 'modified' | 'renamed';
  readonly sha: string;
  readonly additions: number;
  readonly deletions: number;
  /** The hunks; null for binary files and for diffs over GitHub's size limit. */
  readonly patch: string | null;
}

/** GitHub shows no patch of a file over these. */
const MAX_PATCH_LINES = 20_000;
const MAX_PATCH_BYTES = 512_000;

export async function compareTrees(cwd: string, from: string, to: string): Promise<FileDiff[]> {
  const args = ['diff', '--find-renames', '--no-ext-diff', '--no-textconv', '--no-color', '--no-abbrev', '-z'];
  const { stdout } = await runGit([...args, '--raw', '--numstat', '--patch', from, to, '--'], { cwd });
  const fields = stdout.toString('utf8').split('\0');
  const changes = takeRaw(fields);
  const counts = takeCounts(fields, changes.length);
  // An empty field stands between the lists and the patch.
  const hunks = splitByFile(fields.slice(1).join('\0'));
  let section = 0;
  return changes.map((change, index) => {
    // A file that turned into a link (or back) is shown as removed and added.
    const patch = change.letter === 'T' ? null : (hunks[section] ?? null);
    section += change.letter === 'T' ? 2 : 1;
    const { additions = 0, deletions = 0 } = counts[index] ?? {};
    return { ...change.file, additions, deletions, patch: patch !== null && isShown(patch) ? patch : null };
  });
}

interface RawChange {
  readonly letter: string;
  readonly file: Pick<FileDiff, 'path' | 'previousPath' | 'status' | 'sha'>;
}

/** `:<mode> <mode> <sha> <sha> <letter><score>`, then one path, or two after a rename. */
function takeRaw(fields: string[]): RawChange[] {
  const changes: RawChange[] = [];
  while (fields[0]?.startsWith(':') === true) {
    const [, , oldSHA = '', newSHA = '', letters = ''] = fields.shift()?.split(' ') ?? [];
    const letter = letters.slice(0, 1);
    const first = fields.shift() ?? '';
    const path = letter === 'R' ? (fields.shift() ?? '') : first;
    const status = statuses[letter] ?? 'modified';
    const sha = letter === 'D' ? oldSHA : newSHA;
    changes.push({ letter, file: { path, previousPath: letter === 'R' ? first : null, status, sha } });
  }
  return changes;
}

const statuses: Readonly<Record<string, FileDiff['status']>> = { A: 'added', D: 'removed', R: 'renamed' };

/** `<added>\t<deleted>\t<path>`, or an empty path and two more fields after a rename; `-` for binary files. */
function takeCounts(fields: string[], expected: number): { additions: number; deletions: number }[] {
  return Array.from({ length: expected }, () => {
    const [added = '0', deleted = '0', path = ''] = fields.shift()?.split('\t') ?? [];
    if (path === '') fields.splice(0, 2);
    return { additions: Number(added) || 0, deletions: Number(deleted) || 0 };
  });
}

/** Lines of content always start with a sign, so that only a real header starts with these words. */
function splitByFile(patch: string): (string | null)[] {
  return `\n${patch}`
    .split(/\ndiff --git [^\n]*/)
    .slice(1)
    .map((section) => {
      const start = section.indexOf('\n@@ ');
      return start < 0 ? null : section.slice(start + 1).replace(/\n$/, '');
    });
}

function isShown(patch: string): boolean {
  return Buffer.byteLength(patch) <= MAX_PATCH_BYTES && patch.split('\n').length <= MAX_PATCH_LINES;
}
