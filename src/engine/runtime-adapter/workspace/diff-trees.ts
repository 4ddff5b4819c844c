import { isUtf8 } from 'node:buffer';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DecreeClone } from './decree-clone.ts';

/** With all of both files in it, so that nobody needs the old file to apply it. */
const DIFF_OPTIONS = [
  '--binary',
  '--full-index',
  '--no-renames',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--unified=1000000000',
];

/** JavaScript's strings end at about 512 MiB. */
const MAX_PATCH_BYTES = 400 * 1024 * 1024;

/**
 * The difference of two trees as a patch with full context, always valid UTF-8: a file whose diff would not be is
 * written as binary. No setting or attribute of the repository has a say in how it looks.
 */
export async function diffTrees(
  clone: DecreeClone,
  from: string,
  to: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  const scratch = await mkdtemp(join(clone.gitDir, 'diff-'));
  try {
    await makeBareRepository(scratch);
    const env = { GIT_DIR: scratch, GIT_COMMON_DIR: scratch, GIT_OBJECT_DIRECTORY: join(clone.gitDir, 'objects') };
    const diff = () => clone.git(['diff', ...DIFF_OPTIONS, from, to], { env, ...(signal && { signal }) });
    let patch = await diff();
    if (!isUtf8(patch)) {
      const changes = await listChanges(clone, from, to, signal);
      await writeAttributes(scratch, pathsNotUTF8(patch, changes).map(toBinaryRule));
      patch = await diff();
    }
    if (!isUtf8(patch)) {
      // A name too long for an attribute's line.
      await writeAttributes(scratch, ['* -diff']);
      patch = await diff();
    }
    if (patch.length > MAX_PATCH_BYTES) {
      throw new Error(
        `the changes make a patch of ${patch.length} bytes, more than ${MAX_PATCH_BYTES}: split the work`,
      );
    }
    return patch.toString('utf8');
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** A path that differs between two trees. Names are kept byte for byte, one character each. */
export interface TreeChange {
  readonly path: string;
  /** `000000` if the path is new. */
  readonly oldMode: string;
  readonly oldSHA: string;
  /** One letter: added, deleted, modified, type changed. */
  readonly status: string;
}

export async function listChanges(
  clone: DecreeClone,
  from: string,
  to: string,
  signal: AbortSignal | undefined,
): Promise<TreeChange[]> {
  const args = ['diff-tree', '-r', '-z', '--no-renames', from, to];
  const fields = (await clone.git(args, signal && { signal })).toString('latin1').split('\0');
  const changes: TreeChange[] = [];
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [oldMode = '', , oldSHA = '', , status = ''] = (fields[index] ?? '').slice(1).split(' ');
    changes.push({ path: fields[index + 1] ?? '', oldMode, oldSHA, status });
  }
  return changes;
}

/** A repository that borrows the clone's objects and nothing else: no settings, attributes or files. */
async function makeBareRepository(folder: string): Promise<void> {
  await mkdir(join(folder, 'refs'));
  await mkdir(join(folder, 'info'));
  await writeFile(join(folder, 'HEAD'), 'ref: refs/heads/none\n');
  await writeFile(join(folder, 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = true\n');
}

async function writeAttributes(folder: string, rules: readonly string[]): Promise<void> {
  await writeFile(join(folder, 'info', 'attributes'), `${rules.join('\n')}\n`, 'latin1');
}

/** The files of a diff come in the order of the changes; one whose type changed comes twice. */
function pathsNotUTF8(patch: Buffer, changes: readonly TreeChange[]): string[] {
  const paths = changes.flatMap(({ path, status }) => (status === 'T' ? [path, path] : [path]));
  let start = 0;
  return paths.filter(() => {
    // No line inside a file's part can begin like this.
    const next = patch.indexOf('\ndiff --git ', start);
    const end = next === -1 ? patch.length : next + 1;
    const part = patch.subarray(start, end);
    start = end;
    return !isUtf8(part);
  });
}

/** The name as a pattern that matches nothing else, quoted as git reads it. */
function toBinaryRule(path: string): string {
  const pattern = `/${path.replace(/[\\*?[\]]/g, '\\$&')}`;
  const quoted = pattern.replace(/["\\]|\p{Cc}/gu, (character) =>
    character === '"' || character === '\\'
      ? `\\${character}`
      : `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );
  return `"${quoted}" -diff`;
}
