import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { validateBashCommand } from '../../src/engine/runtime-adapter/guards/bash/validate-bash-command.ts';

// An option that is taken to own the next argument, and does not, hides it from every rule. So each option is put
// before something forbidden, and what is approved all the same is run to see whether it does it.

let top: string;
let root: string;

beforeAll(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'decree-options-')));
  root = join(top, 'run');
  mkdirSync(join(root, 'src'), { recursive: true });
  writeFileSync(join(top, 'secret'), 'the-secret one\n');
  for (const name of ['a', 'b', 'src/c']) writeFileSync(join(root, name), 'inside one\n');
  run('git init -q . && git add . && git commit -qm start && echo changed > a');
});
afterAll(() => rmSync(top, { recursive: true }));

test('no option of a program that reads opens a file outside', () => {
  const commands = READERS.flatMap((program) =>
    OPTIONS.flatMap((option) => [
      `${program} ${option} ${top}/secret`,
      `${program} ${option} one ${top}/secret`,
      ...(option.startsWith('--') ? [] : [`${program} ${option}${top}/secret a`]),
    ]),
  );
  const approved = commands.filter(isApproved);
  expect(thatDo('grep -q the-secret', ['cat ../secret', ...approved])).toEqual(['cat ../secret']);
  expect(commands.length - approved.length).toBeGreaterThan(1_000);
});

test('no option of a program that writes makes a file outside', () => {
  const approved = WRITERS.flatMap(([program, forbidden]) =>
    OPTIONS.map((option) => `${program} ${option} ${forbidden.replace('OUT', '../made')}`),
  ).filter(isApproved);
  const isMade = 'cat > /dev/null; [ -e ../made ] && rm -r ../made';
  expect(thatDo(isMade, ['touch ../made', ...approved])).toEqual(['touch ../made']);
});

const READERS = [
  ...'cat head tail sort uniq cut paste column comm join nl tac fold od strings diff base64'.split(' '),
  ...'grep sed awk stat'.split(' '),
  'git diff --no-index',
  'git grep --no-index',
];

const WRITERS: readonly (readonly [string, string])[] = [
  ['sort', '-oOUT a'],
  ['sort a', '--output=OUT'],
  ['cp', '-tOUT a'],
  ['cp', 'a OUT'],
  ['tee', 'OUT'],
  ['touch', 'OUT'],
  ['mkdir', 'OUT'],
  ['split', 'a OUT'],
  ['git diff', '--output=OUT'],
  ['git log', '--output=OUT'],
  ['git show', '--output=OUT'],
  ['git shortlog HEAD', '--output=OUT'],
  ['tar', '-cf OUT a'],
];

const OPTIONS = [
  ...Array.from('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ1', (letter) => `-${letter}`),
  ...'-ve -ie -rne -nA --color --colour --stat --unified --context --word-diff --pretty --format --abbrev'.split(' '),
  ...'--decorate --include --label --lines --bytes --key --exclude --date --recursive --text'.split(' '),
];

function isApproved(command: string): boolean {
  return validateBashCommand(command, { root }).decision === 'approve';
}

/** Those of the commands whose output, or what they leave behind, satisfies a check in shell. */
function thatDo(check: string, commands: readonly string[]): string[] {
  const loop = `index=-1
    while IFS= read -r -d '' command; do
      index=$((index + 1))
      if { timeout 2 bash -c "$command" 2> /dev/null < /dev/null | { ${check}; }; } then echo "$index"; fi
    done`;
  const found = new Set(run(loop, commands.map((command) => `${command}\0`).join('')).split('\n'));
  return commands.filter((_, index) => found.has(String(index)));
}

function run(script: string, input = ''): string {
  const env = { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null', ...AUTHOR };
  return spawnSync('/bin/bash', ['-c', script], { cwd: root, env, encoding: 'utf8', timeout: 60_000, input }).stdout;
}

const AUTHOR = {
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@b.c',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@b.c',
};
