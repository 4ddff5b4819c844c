import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BashValidatorOptions, validateBashCommand } from './validate-bash-command.ts';

let base: string;
let root: string;

beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'validator-'));
  root = join(base, 'run');
  mkdirSync(join(root, 'src', 'deep'), { recursive: true });
  mkdirSync(join(root, 'links'));
  mkdirSync(join(root, 'hidden'));
  mkdirSync(join(root, 'node_modules', '.bin'), { recursive: true });
  mkdirSync(join(base, 'run-other'));
  writeFileSync(join(base, 'secret.txt'), 'secret');
  writeFileSync(join(root, 'src', 'a.ts'), '');
  writeFileSync(join(root, 'node_modules', '.bin', 'own-tool'), '');
  writeFileSync(join(root, 'hidden', '.env'), 'KEY=secret');
  symlinkSync('../../secret.txt', join(root, 'links', 'out.txt'));
  symlinkSync('../src/a.ts', join(root, 'links', 'in.ts'));
  symlinkSync('..', join(root, 'links', 'up'));
  symlinkSync('second', join(root, 'links', 'first'));
  symlinkSync('/etc', join(root, 'links', 'second'));
  symlinkSync('missing/../../../x', join(root, 'links', 'dangling'));
  symlinkSync('loop', join(root, 'src', 'deep', 'loop'));
  symlinkSync('src/deep', join(root, 'short'));
});

afterAll(() => rmSync(base, { recursive: true, force: true }));

function decide(command: string, options: BashValidatorOptions = {}): string {
  const decided = validateBashCommand(command, { root, ...options });
  if (decided.decision === 'approve') return 'approve';
  return /pattern '([\w-]+)'$/.exec(decided.reason)?.[1] ?? decided.reason;
}

describe('the messages of the specification', () => {
  test('[AGM-17] a command on the blocklist is blocked with the name of the pattern', () => {
    expect(validateBashCommand('ls && rm -rf build')).toEqual({
      decision: 'block',
      reason: "Blocked: matches dangerous pattern 'delete-files'",
    });
  });

  test('a program that is on neither list is blocked by its name', () => {
    expect(validateBashCommand('ls | frobnicate --all')).toEqual({
      decision: 'block',
      reason: "Blocked: 'frobnicate' is not in the allowed command list",
    });
  });

  test('the blocklist is asked before the allowlist', () => {
    expect(validateBashCommand('frobnicate; rm x')).toMatchObject({ reason: expect.stringContaining('delete-files') });
  });

  test('[AGM-18] a command whose programs are all allowed is approved', () => {
    expect(validateBashCommand('git status && npm test 2>&1 | tail -20')).toEqual({ decision: 'approve' });
  });
});

describe('paths, after all links are resolved', () => {
  test.each([
    'cat src/a.ts',
    'cat links/in.ts',
    'cat links/up/src/a.ts',
    'cat ./src/../src/a.ts',
    'ls src/*.ts',
    'cat new/file',
  ])('inside: %s', (command) => expect(decide(command)).toBe('approve'));

  test('inside: absolute paths of the folder', () => {
    expect(decide(`cat ${root}/src/a.ts > ${root}/out.txt`)).toBe('approve');
    expect(decide(`cd ${root} && ls`)).toBe('approve');
  });

  test.each([
    'cat links/out.txt',
    'cat < links/out.txt',
    'echo x > links/out.txt',
    'cat links/up/../secret.txt',
    'cat links/first/passwd',
    'echo x > links/dangling',
    'cat links/*',
    'cat links/o?t.txt',
    'cat l*s/o*',
    'cd links/first && cat passwd',
    'cp links/out.txt x',
    'cat src/deep/../../../secret.txt',
    'cat ../run-other/x',
    'for f in links/*; do cat "$f"; done',
    'node links/first/x.js',
    './links/first/x',
  ])('outside: %s', (command) => expect(decide(command)).toBe('outside-folder'));

  test('outside: a folder whose name only starts like the root', () => {
    expect(decide(`cat ${root}-other/x`)).toBe('outside-folder');
  });

  test('outside: what the name of the folder begins', () => {
    for (const folder of ['$PWD', '"$(pwd)"', '$(git rev-parse --show-toplevel)']) {
      expect(decide(`cat ${folder}-other/x`)).toBe('outside-folder');
      expect(decide(`cat ${folder}/src/a.ts`)).toBe('approve');
    }
  });

  test('outside: where the shell goes back over a link by its name, and programs go on where it led to', () => {
    expect(decide('cd short && cat ../a.ts')).toBe('approve');
    expect(decide('cd short && cd ../.. && cat x')).toBe('outside-folder');
    expect(decide('cd short/../.. && cat x')).toBe('outside-folder');
    expect(decide('cd src/deep && cd ../..')).toBe('approve');
  });

  test('outside: a link behind flags', () => {
    expect(decide('sort -uolinks/out.txt src/a.ts')).toBe('outside-folder');
    expect(decide('cp -rtlinks/first src')).toBe('outside-folder');
  });

  test('a loop of links is not followed for ever', () => {
    expect(decide('cat src/deep/loop')).toBe('unknown-value');
  });

  test('a root that is itself behind a link is the place it leads to', () => {
    const alias = join(base, 'alias');
    symlinkSync(root, alias);
    expect(decide(`cat ${root}/src/a.ts ${alias}/src/a.ts`, { root: alias })).toBe('approve');
    expect(decide(`cat ${base}/secret.txt`, { root: alias })).toBe('outside-folder');
  });

  test('a root that does not exist blocks everything', () => {
    expect(decide('ls', { root: join(base, 'gone') })).toBe('unparsable-command');
  });
});

describe('what is off limits', () => {
  test('is found behind a pattern and by a recursive search', () => {
    for (const command of [
      'cat hidden/.e*',
      'grep -r KEY .',
      'grep -r KEY hidden',
      'rg -uu KEY',
      'tar czf x.tgz hidden',
    ]) {
      expect(decide(command)).toBe('protected-path');
    }
    expect(decide('find . -name ".*" -exec cat {} +')).toBe('protected-path');
    expect(decide('find . -type f | xargs cat')).toBe('protected-path');
  });

  test('does not hinder work elsewhere', () => {
    for (const command of ['grep -rn KEY src', 'rg KEY', 'cat hidden/*', 'find . -name "*.ts"']) {
      expect(decide(command)).toBe('approve');
    }
  });
});

describe('the folder that a command is in', () => {
  test.each([
    ['cd src && cat ../src/a.ts', 'approve'],
    ['cd src && cat ../../secret.txt', 'outside-folder'],
    ['cd src/deep && cat ../../src/a.ts && cd ../.. && ls', 'approve'],
    ['cd src; cat ../x', 'outside-folder'],
    ['(cd src); cat ../x', 'outside-folder'],
    ['cd src | cat; cat ../x', 'outside-folder'],
    ['cd src & cat ../x', 'outside-folder'],
    ['cd src || cat ../x', 'outside-folder'],
    ['if cd src; then cat ../x; fi', 'approve'],
    ['if cd src; then true; else cat ../x; fi', 'outside-folder'],
    ['while cd src; do cat a.ts; done', 'unparsable-command'],
    ['f() { cat ../x; }; f', 'outside-folder'],
  ])('%s: %s', (command, expected) => expect(decide(command)).toBe(expected));

  test('is where the shell was left before', () => {
    expect(decide('cat ../src/a.ts', { cwd: join(root, 'src') })).toBe('approve');
    expect(decide('cat ../../secret.txt', { cwd: join(root, 'src') })).toBe('outside-folder');
    expect(decide('ls', { cwd: base })).toBe('unparsable-command');
  });
});

describe('installed packages', () => {
  test('their programs run, others are not fetched', () => {
    expect(decide('npx own-tool --check')).toBe('approve');
    expect(decide('cd src && npx own-tool')).toBe('approve');
    expect(decide('npx other-tool')).toBe('uninstalled-package');
    expect(decide('npx own-tool', { root: undefined })).toBe('uninstalled-package');
  });
});

describe('the allowlist of the configuration', () => {
  test('adds programs, alone or with their first arguments', () => {
    const allow = ['terraform plan', 'hugo'];
    expect(decide('hugo --minify', { allow })).toBe('approve');
    expect(decide('terraform plan -out x', { allow })).toBe('approve');
    expect(decide('terraform apply', { allow })).toContain('not in the allowed command list');
    expect(decide('terraform')).toContain('not in the allowed command list');
  });

  test('lifts neither the blocklist nor the bounds of the folder', () => {
    expect(decide('rm x', { allow: ['rm'] })).toBe('delete-files');
    expect(decide('hugo -d /tmp', { allow: ['hugo'] })).toBe('outside-folder');
    expect(decide('xyz', { allow: ['', ' '] })).toContain('not in the allowed');
  });
});

describe('what it cannot understand', () => {
  test.each([
    "echo 'a",
    'echo "a',
    'echo $(ls',
    'cat <<E',
    'ls )',
    'if true',
    'echo a\u0000b',
    'echo \u001b[0m',
    'echo \uE000',
    'ls \\',
  ])('is blocked: %j', (command) => expect(decide(command)).toBe('unparsable-command'));

  test('a token that is split by an escaped line end is blocked', () => {
    for (const command of ['cat $\\\nHOME/x', 'echo $\\\n(rm x)', 'cat <\\\n(rm x)', 'echo "$\\\n(rm x)"']) {
      expect(decide(command)).toBe('unparsable-command');
    }
    expect(decide('npm test \\\n  --silent')).toBe('approve');
    expect(decide("cat > a.c <<'E'\n#define A(x)\\\n x\nE")).toBe('approve');
  });

  test('too much of anything is decided quickly, and blocked where it cannot be followed', () => {
    const blocked = [
      '('.repeat(20_000),
      `ls ${'$('.repeat(5_000)}`,
      'a'.repeat(60_000),
      `ls ${'{a,b}'.repeat(40)}`,
      `x=a; ${'x=$x$x; '.repeat(40)} cat $x`,
      `awk 'BEGIN{${'a=(1)/'.repeat(40)}2}'`,
      `${'while true; do '.repeat(8)}cd a; ls${'; done'.repeat(8)}`,
      'f() { f; f; }; f',
    ];
    for (const command of blocked) expect(decide(command)).not.toBe('approve');
    for (const command of [`ls ${'*a'.repeat(30)}`, `ls${' && ls'.repeat(3_000)}`])
      expect(decide(command)).toBe('approve');
  });

  test('an empty command does nothing', () => {
    expect(decide('')).toBe('approve');
    expect(decide('# only a comment')).toBe('approve');
  });
});
