import { describe, expect, test } from 'vitest';
import { PatchError } from '../domain/provider-error.ts';
import { parsePatch } from './parse-patch.ts';

function change(path: string, quoted = false): string {
  const [a, b] = quoted ? [`"a/${path}"`, `"b/${path}"`] : [`a/${path}`, `b/${path}`];
  return `diff --git ${a} ${b}\n--- ${a}\n+++ ${b}\n@@ -1 +1 @@\n-old\n+new\n`;
}

function errorOf(patch: string | Uint8Array): PatchError {
  try {
    parsePatch(patch);
  } catch (error) {
    if (error instanceof PatchError) return error;
    throw error;
  }
  throw new Error('The patch was accepted.');
}

describe('what git writes', () => {
  test('a rename with a change names both paths, the mode and the blobs', () => {
    const { files } = parsePatch(
      [
        'diff --git a/from here.txt b/to there.txt',
        'old mode 100644',
        'new mode 100755',
        'similarity index 80%',
        'rename from from here.txt',
        'rename to to there.txt',
        'index 1234567..89abcde',
        '--- a/from here.txt\t',
        '+++ b/to there.txt\t',
        '@@ -1,2 +1,2 @@ heading',
        ' kept',
        '-old',
        '+new',
        '',
      ].join('\n'),
    );
    expect(files).toMatchObject([
      {
        kind: 'rename',
        oldPath: 'from here.txt',
        newPath: 'to there.txt',
        oldMode: '100644',
        newMode: '100755',
        oldSHA: '1234567',
        newSHA: '89abcde',
        change: { kind: 'text', hunks: [{ oldStart: 1, oldCount: 2, newStart: 1, newCount: 2 }] },
      },
    ]);
  });

  test.each([
    ['plain.txt', false, 'plain.txt'],
    ['with space b/x', false, 'with space b/x'],
    ['tab\\there', true, 'tab\there'],
    ['\\303\\274ber/quo\\"te\\\\', true, 'über/quo"te\\'],
  ])('the path %s is read', (written, isQuoted, path) => {
    expect(parsePatch(change(written, isQuoted)).files[0]).toMatchObject({ oldPath: path, newPath: path });
  });

  test('an empty file is created by its header alone, whose name may hold spaces', () => {
    const patch = 'diff --git a/a b/a b b/a b/a b\nnew file mode 100755\nindex 0000000..e69de29\n';
    expect(parsePatch(patch).files).toMatchObject([
      { kind: 'create', oldPath: null, newPath: 'a b/a b', newMode: '100755', change: null },
    ]);
  });

  test('a commit message above and a mail signature below the changes are passed over', () => {
    const mail = `From 1234\nSubject: [PATCH] x\n\n---\n f | 2 +-\n\n${change('f')}-- \n2.39.5\n\n`;
    expect(parsePatch(mail + mail.replaceAll('/f', '/g')).files.map(({ newPath }) => newPath)).toEqual(['f', 'g']);
  });

  test('a unified diff without git headers creates, changes and deletes', () => {
    const patch = '--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+x\n--- a/old\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n';
    expect(parsePatch(patch).files).toMatchObject([
      { kind: 'create', newPath: 'new' },
      { kind: 'delete', oldPath: 'old' },
    ]);
  });
});

describe('paths that must not be written to', () => {
  test.each([
    '../x',
    'x/../../y',
    './x',
    'x//y',
    'x/',
    '/etc/passwd',
    '.git/config',
    '.GIT/hooks/x',
    'sub/.git/config',
    '.git',
    '.git /config',
    '.git./config',
    '.git::$INDEX_ALLOCATION/config',
    'git~1/config',
    'GIT~1',
    '.g\u200cit/config',
    '\ufeff.git/config',
    'x\\.git\\config',
  ])('%j is refused in every place where a header can name it', (path) => {
    const rename = `diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to ${path}\n`;
    const creation = `diff --git a/${path} b/${path}\nnew file mode 100644\nindex 0000000..e69de29\n`;
    for (const patch of [change(path), rename, creation]) expect(errorOf(patch).kind).toBe('malformed');
  });

  test.each(['.gitignore', '.github/x.yml', 'git', 'a.git', '..x', '...', 'git~2', '.gitattributes'])(
    '%s is an ordinary path',
    (path) => {
      expect(parsePatch(change(path)).files[0]?.newPath).toBe(path);
    },
  );

  test('escapes do not hide a path, and a NUL is none', () => {
    expect(errorOf(change('\\056\\056/x', true)).kind).toBe('malformed');
    expect(errorOf(change('.g\\151t/config', true)).kind).toBe('malformed');
    expect(errorOf(change('x\\000', true)).kind).toBe('malformed');
  });

  test('a name that is not UTF-8 is refused, because the forge could not hold it', () => {
    expect(errorOf(change('caf\\351', true)).kind).toBe('refused');
  });
});

describe('what is refused', () => {
  test.each([
    [
      'an added',
      'new file mode 160000\nindex 0000000..1234567\n--- /dev/null\n+++ b/s\n@@ -0,0 +1 @@\n+Subproject commit 12\n',
    ],
    [
      'a moved',
      'index 1234567..89abcde 160000\n--- a/s\n+++ b/s\n@@ -1 +1 @@\n-Subproject commit 1\n+Subproject commit 2\n',
    ],
    [
      'a removed',
      'deleted file mode 160000\nindex 1234567..0000000\n--- a/s\n+++ /dev/null\n@@ -1 +0,0 @@\n-Subproject commit 1\n',
    ],
  ])('%s submodule', (_, lines) => {
    expect(errorOf(`diff --git a/s b/s\n${lines}`).kind).toBe('refused');
  });

  test('a binary file that announces more than 100 MB', () => {
    const patch = 'diff --git a/x b/x\nGIT binary patch\nliteral 200000000\nAcmV?\n\n';
    expect(errorOf(patch).kind).toBe('refused');
  });
});

describe('what is malformed', () => {
  const binary = (data: string): string =>
    `diff --git a/x b/x\nindex ${'0'.repeat(40)}..${'1'.repeat(40)}\nGIT binary patch\n${data}`;

  test.each([
    ['nothing', ''],
    ['prose', 'Dear all,\nplease apply.\n'],
    ['half a header', 'diff --git a/x b/x'],
    ['a header without a change', 'diff --git a/x b/x\nindex 1234567..89abcde 100644\n'],
    ['a hunk without a file', '@@ -1 +1 @@\n-a\n+b\n'],
    ['a truncated hunk', 'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a\n+b\n'],
    ['a truncated line', 'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b'],
    ['a count too low', `${change('x')}+more\n`],
    [
      'a count too high on one side',
      'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n-a\n+b\ndiff --git a/y b/y\n',
    ],
    ['a hunk that changes nothing', 'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n a\n'],
    ['a broken hunk header', 'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 1 @@\n-a\n+b\n'],
    [
      'a new file with old lines',
      'diff --git a/x b/x\nnew file mode 100644\n--- /dev/null\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n',
    ],
    ['two names without a rename', 'diff --git a/x b/y\n--- a/x\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n'],
    ['contradicting names', 'diff --git a/x b/x\n--- a/x\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n'],
    ['half a rename', 'diff --git a/x b/y\nsimilarity index 100%\nrename from x\n'],
    ['a rename that is a copy', 'diff --git a/x b/y\nrename from x\ncopy to y\n'],
    ['a strange mode', 'diff --git a/x b/x\nold mode 100644\nnew mode 040000\n'],
    ['a file turned into a link in place', 'diff --git a/x b/x\nold mode 100644\nnew mode 120000\n'],
    ['modules behind a link', 'diff --git a/.gitmodules b/.gitmodules\nnew file mode 120000\nindex 0000000..e69de29\n'],
    ['an unknown escape', change('x\\q', true)],
    ['an unclosed quote', 'diff --git "a/x b/x\nnew file mode 100644\n'],
    ['a merge', 'diff --cc x\nindex 1,2..3\n'],
    ['a binary change without content', 'diff --git a/x b/x\nBinary files a/x and b/x differ\n'],
    ['base85 with a foreign character', binary('literal 1\nA"cmV?\n\n')],
    ['base85 over 32 bits', binary('literal 4\nD~~~~~\n\n')],
    ['a base85 line of a wrong length', binary('literal 1\nZcmV?d\n\n')],
    ['a binary change without an end', binary('literal 1\nAcmV?d\n')],
    ['a binary change without a size', binary('literal\nAcmV?d\n\n')],
    ['half a character', `${change('x')}\ud800`],
  ])('%s', (_, patch) => {
    expect(errorOf(patch).kind).toBe('malformed');
  });

  test('the message says where', () => {
    expect(errorOf(`${change('x')}garbage\n`).message).toContain('Line 7');
  });
});
