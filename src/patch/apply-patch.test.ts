import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { PatchError } from '../domain/provider-error.ts';
import { applyPatch } from './apply-patch.ts';
import type { ApplyOptions } from './apply-file.ts';
import { blobSHA } from './blob-sha.ts';
import type { OldFile } from './file-result.ts';
import { parsePatch } from './parse-patch.ts';
import { needsOldContent } from './preimage.ts';

type Files = Record<string, string | OldFile>;

function readFrom(files: Files): (path: string) => OldFile | null {
  return (path) => {
    const file = files[path];
    return typeof file === 'string' ? { mode: '100644', content: Buffer.from(file) } : (file ?? null);
  };
}

/** Path -> `mode content`, or null where it is deleted. */
function apply(patch: string, files: Files, options?: ApplyOptions): Record<string, string | null> {
  const results = applyPatch(patch, readFrom(files), options);
  return Object.fromEntries(
    results.map((result) => [
      result.path,
      result.kind === 'deleted' ? null : `${result.mode} ${result.content?.toString() ?? result.sha}`,
    ]),
  );
}

function errorOf(patch: string, files: Files, options?: ApplyOptions): PatchError {
  try {
    apply(patch, files, options);
  } catch (error) {
    if (error instanceof PatchError) return error;
    throw error;
  }
  throw new Error('The patch was applied.');
}

const sha = (content: string): string => blobSHA(Buffer.from(content));

function edit(path: string, old: string, now: string, hunks: string): string {
  const index = `index ${sha(old)}..${sha(now)} 100644\n`;
  return `diff --git a/${path} b/${path}\n${index}--- a/${path}\n+++ b/${path}\n${hunks}`;
}

const OLD = 'a\nb\nc\nd\ne\nf\ng\nh\n';
const NEW = 'a\nb\nc\nD\ne\nf\ng\nh\n';
const MIDDLE = '@@ -3,3 +3,3 @@\n c\n-d\n+D\n e\n';

describe('a file that is as the patch expects it', () => {
  test('keeps every line that the patch does not show', () => {
    expect(apply(edit('x', OLD, NEW, MIDDLE), { x: OLD })).toEqual({ x: `100644 ${NEW}` });
  });

  test('takes changes without any context', () => {
    const now = 'a\nX\nb\nc\ne\nf\ng\nh\n';
    const hunks = '@@ -1,0 +2 @@\n+X\n@@ -4 +4,0 @@\n-d\n';
    expect(apply(edit('x', OLD, now, hunks), { x: OLD })).toEqual({ x: `100644 ${now}` });
  });

  test('gains and loses its final newline', () => {
    const hunks = '@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n';
    expect(apply(edit('x', 'a\n', 'a', hunks), { x: 'a\n' })).toEqual({ x: '100644 a' });
    const back = '@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n';
    expect(apply(edit('x', 'a', 'a\n', back), { x: 'a' })).toEqual({ x: '100644 a\n' });
  });

  test('keeps CRLF', () => {
    const hunks = '@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n';
    expect(apply(edit('x', 'a\r\nb\r\n', 'a\r\nc\r\n', hunks), { x: 'a\r\nb\r\n' })).toEqual({
      x: '100644 a\r\nc\r\n',
    });
  });

  test('whose result is not the promised blob is a mismatch', () => {
    const error = errorOf(edit('x', OLD, 'something else', MIDDLE), { x: OLD });
    expect(error).toMatchObject({ kind: 'mismatch', paths: ['x'] });
  });

  test('but not as the hunks say means that the patch is damaged', () => {
    expect(errorOf(edit('x', OLD, NEW, MIDDLE.replace(' c', ' C')), { x: OLD }).kind).toBe('malformed');
  });
});

describe('a file that has moved on', () => {
  const patch = edit('x', OLD, NEW, MIDDLE);

  test('is changed at the new place of its lines, as git does', () => {
    expect(apply(patch, { x: `0\n0\n${OLD}` })).toEqual({ x: `100644 0\n0\n${NEW}` });
  });

  test('is a conflict where only the exact file will do', () => {
    const error = errorOf(patch, { x: `0\n0\n${OLD}` }, { exact: true });
    expect(error).toMatchObject({ kind: 'conflict', paths: ['x'] });
  });

  test('is a conflict if the lines are gone, or the file is', () => {
    expect(errorOf(patch, { x: OLD.replace('c', 'C') })).toMatchObject({ kind: 'conflict', paths: ['x'] });
    expect(errorOf(patch, {})).toMatchObject({ kind: 'conflict', paths: ['x'] });
  });

  test('takes the change at the nearest place that fits, of two equally near ones the lower', () => {
    const hunk = '--- a/x\n+++ b/x\n@@ -9,3 +9,3 @@\n c\n-d\n+D\n e\n';
    const lines = '......cde.cde.cde......'.split('');
    const at = (line: number) => `100644 ${lines.with(line, 'D').join('\n')}\n`;
    expect(apply(hunk, { x: `${lines.join('\n')}\n` })).toEqual({ x: at(11) });
    const apart = '.....cde.....cde.....'.split('').join('\n');
    const nearer = hunk.replace('-9,3 +9,3', '-8,3 +8,3');
    expect(apply(nearer, { x: `${apart}\n` })).toEqual({ x: `100644 ${apart.replace('d', 'D')}\n` });
  });

  test('is never changed twice in the same place', () => {
    const hunks = '@@ -2,3 +2,3 @@\n a\n-x\n+y\n b\n@@ -12,3 +12,3 @@\n a\n-y\n+z\n b\n';
    expect(errorOf(`--- a/x\n+++ b/x\n${hunks}`, { x: '.\na\nx\nb\n.\n' }).kind).toBe('conflict');
  });

  test('is a conflict if a change to its very start or end would land elsewhere', () => {
    const change = (hunk: string) => `--- a/x\n+++ b/x\n${hunk}`;
    const start = change('@@ -1,2 +1,2 @@\n-a\n+A\n b\n');
    const end = change('@@ -8,2 +8,2 @@\n b\n-c\n+C\n');
    const whole = change('@@ -1,2 +1,2 @@\n b\n-c\n+C\n');
    expect(errorOf(start, { x: '.\na\nb\n' }).kind).toBe('conflict');
    expect(errorOf(end, { x: 'a\nb\nc\n.\n' }).kind).toBe('conflict');
    expect(errorOf(whole, { x: 'b\nc\n.\n' }).kind).toBe('conflict');
    expect(apply(end, { x: 'a\nb\nc\n' })).toEqual({ x: '100644 a\nb\nC\n' });
  });

  test('is a conflict if lines were added after a last line without newline, where git would glue two lines together', () => {
    const hunks = '@@ -1,2 +1,2 @@\n-a\n+A\n z\n\\ No newline at end of file\n';
    expect(errorOf(edit('x', 'a\nz', 'A\nz', hunks), { x: 'a\nz\nmore\n' }).kind).toBe('conflict');
  });

  test('is a conflict if it is a link now', () => {
    expect(errorOf(patch, { x: { mode: '120000', content: Buffer.from(OLD) } }).kind).toBe('conflict');
  });

  test('never costs more than a multiple of its size, however often its lines repeat', () => {
    const content = 'x\n'.repeat(400_000);
    const hunk = `@@ -5,20002 +5,20002 @@\n${' x\n'.repeat(20_000)}-y\n+z\n x\n`;
    expect(errorOf(`--- a/x\n+++ b/x\n${hunk}`, { x: content }).kind).toBe('conflict');
  });
});

describe('whole files', () => {
  const empty = sha('');
  const zeros = '0'.repeat(40);

  test('are created, deleted, made executable and linked', () => {
    const patch = [
      `diff --git a/new b/new\nnew file mode 100755\nindex ${zeros}..${empty}\n`,
      `diff --git a/gone b/gone\ndeleted file mode 100644\nindex ${empty}..${zeros}\n`,
      'diff --git a/run b/run\nold mode 100644\nnew mode 100755\n',
      `diff --git a/ln b/ln\nnew file mode 120000\nindex ${zeros}..${sha('run')}\n--- /dev/null\n+++ b/ln\n@@ -0,0 +1 @@\n+run\n\\ No newline at end of file\n`,
    ].join('');
    expect(apply(patch, { gone: '', run: 'x' })).toEqual({
      new: '100755 ',
      gone: null,
      run: '100755 x',
      ln: '120000 run',
    });
  });

  test('swap their names', () => {
    const patch =
      'diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n' +
      'diff --git a/y b/x\nsimilarity index 100%\nrename from y\nrename to x\n';
    expect(apply(patch, { x: 'was x', y: 'was y' })).toEqual({ y: '100644 was x', x: '100644 was y' });
  });

  test('become links, as a deletion and a creation', () => {
    const patch =
      `diff --git a/x b/x\ndeleted file mode 100644\nindex ${sha('a\n')}..${zeros}\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n` +
      `diff --git a/x b/x\nnew file mode 120000\nindex ${zeros}..${sha('b\n')}\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+b\n`;
    expect(apply(patch, { x: 'a\n' })).toEqual({ x: '120000 b\n' });
  });

  test('that exist are not created again', () => {
    const patch = `diff --git a/new b/new\nnew file mode 100644\nindex ${zeros}..${empty}\n`;
    expect(errorOf(patch, { new: '' })).toMatchObject({ kind: 'conflict', paths: ['new'] });
  });

  test('are not written through a file or a link', () => {
    const patch = `diff --git a/d/new b/d/new\nnew file mode 100644\nindex ${zeros}..${empty}\n`;
    expect(errorOf(patch, { d: { mode: '120000', content: Buffer.from('/etc') } }).kind).toBe('conflict');
    expect(errorOf(patch + patch.replaceAll('d/new', 'd'), {}).kind).toBe('conflict');
  });

  test('are not deleted with lines that nobody has seen', () => {
    const patch = 'diff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n';
    expect(errorOf(patch, { x: 'a\nb\n' }).kind).toBe('conflict');
  });

  test('known by the name of their blob are moved without their content', () => {
    const patch = 'diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n';
    const results = applyPatch(patch, readFrom({ x: { mode: '100755', sha: sha('x') } }));
    expect(results).toContainEqual({ kind: 'written', path: 'y', mode: '100755', sha: sha('x'), content: null });
  });

  test('shown with full context need no old content', () => {
    const full = edit('x', 'a\nb\n', 'a\nc\n', '@@ -1,2 +1,2 @@\n a\n-b\n+c\n');
    const part = edit('x', OLD, NEW, MIDDLE);
    expect([full, part].map((patch) => parsePatch(patch).files.map(needsOldContent))).toEqual([[false], [true]]);
    expect(apply(full, { x: { mode: '100644', sha: sha('a\nb\n') } })).toEqual({ x: '100644 a\nc\n' });
    expect(errorOf(full, { x: { mode: '100644', sha: sha('other') } }, { exact: true }).kind).toBe('conflict');
  });
});

describe('binary files', () => {
  const old = Buffer.from('\0old');
  const binary = (now: Buffer, block: string, from = blobSHA(old)): string =>
    `diff --git a/x b/x\nindex ${from}..${blobSHA(now)} 100644\nGIT binary patch\n${block}\n\n`;

  test('that are not what the delta or literal was made from are a conflict', () => {
    const patch = binary(Buffer.from('n'), `literal 1\n${encodeLine(deflateSync('n'))}`);
    expect(apply(patch, { x: { mode: '100644', content: old } })).toEqual({ x: '100644 n' });
    expect(errorOf(patch, { x: 'other' })).toMatchObject({ kind: 'conflict', paths: ['x'] });
  });

  test.each([
    ['data that does not inflate', 1, Buffer.from('no zlib')],
    ['more data than announced', 1, deflateSync('nn')],
    ['a bomb', 10, deflateSync(Buffer.alloc(20_000))],
    ['less data than announced', 9, deflateSync('n')],
  ])('with %s are malformed', (_, size, data) => {
    const patch = binary(Buffer.from('n'), `literal ${size}\n${encodeLine(data)}`);
    expect(errorOf(patch, { x: { mode: '100644', content: old } }).kind).toBe('malformed');
  });

  test.each([
    ['reads behind the old content', [4, 4, 0b10010001, 2, 4]],
    ['reads behind the old content and makes up for it', [4, 4, 0b10010001, 2, 4, 2, 65, 65]],
    ['writes behind the new content', [4, 1, 0b10010000, 4]],
    ['is for another size', [9, 1, 1, 65]],
    ['stops early', [4, 9, 1, 65]],
    ['has a reserved instruction', [4, 1, 0]],
    ['is cut off', [4, 4, 4, 65]],
    ['is empty', []],
  ])('whose delta %s are malformed', (_, bytes) => {
    const delta = Buffer.from(bytes);
    const patch = binary(Buffer.from('n'), `delta ${delta.length}\n${encodeLine(deflateSync(delta))}`);
    expect(errorOf(patch, { x: { mode: '100644', content: old } }).kind).toBe('malformed');
  });

  test('without full blob names cannot be verified and are malformed', () => {
    const patch = binary(Buffer.from('n'), `literal 1\n${encodeLine(deflateSync('n'))}`, blobSHA(old).slice(0, 7));
    expect(errorOf(patch, { x: { mode: '100644', content: old } }).kind).toBe('malformed');
  });
});

describe('content that decree does not publish', () => {
  const creation = (content: string): string =>
    `diff --git a/x b/x\nnew file mode 100644\n--- /dev/null\n+++ b/x\n@@ -0,0 +1,${content.split('\n').length} @@\n+${content.replaceAll('\n', '\n+')}\n`;

  test('a new Git LFS pointer is refused', () => {
    const oid = createHash('sha256').update('x').digest('hex');
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize 1`;
    expect(errorOf(creation(pointer), {})).toMatchObject({ kind: 'refused', paths: ['x'] });
    expect(apply(creation('about version https://git-lfs.github.com/spec/v1'), {})).toHaveProperty('x');
  });

  test('an existing pointer may be renamed, however the patch says it', () => {
    const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n';
    const patch = 'diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n';
    expect(apply(patch, { x: pointer })).toEqual({ x: null, y: `100644 ${pointer}` });
    const lines = pointer.replace(/^(?=.)/gm, '#');
    const moved =
      `diff --git a/x b/x\ndeleted file mode 100644\nindex ${sha(pointer)}..${'0'.repeat(40)}\n--- a/x\n+++ /dev/null\n@@ -1,3 +0,0 @@\n${lines.replaceAll('#', '-')}` +
      `diff --git a/y b/y\nnew file mode 100644\nindex ${'0'.repeat(40)}..${sha(pointer)}\n--- /dev/null\n+++ b/y\n@@ -0,0 +1,3 @@\n${lines.replaceAll('#', '+')}`;
    expect(apply(moved, { x: pointer })).toEqual({ x: null, y: `100644 ${pointer}` });
  });
});

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~';

/** Up to 52 bytes as a line of a binary patch. */
function encodeLine(data: Buffer): string {
  const padded = Buffer.concat([data, Buffer.alloc((4 - (data.length % 4)) % 4)]);
  let text = String.fromCharCode(data.length <= 26 ? 64 + data.length : 70 + data.length);
  for (let at = 0; at < padded.length; at += 4) {
    let group = padded.readUInt32BE(at);
    let digits = '';
    for (let index = 0; index < 5; index += 1) {
      digits = (DIGITS[group % 85] ?? '') + digits;
      group = Math.floor(group / 85);
    }
    text += digits;
  }
  return text;
}
