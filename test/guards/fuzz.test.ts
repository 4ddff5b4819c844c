import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'unbash';
import { expect, test } from 'vitest';
import { expandWord } from '../../src/engine/runtime-adapter/guards/bash/expand-word.ts';
import { hasForbiddenCharacters, isKnown, UNKNOWN } from '../../src/engine/runtime-adapter/guards/bash/field.ts';
import { hasOddLineEnd } from '../../src/engine/runtime-adapter/guards/bash/line-ends.ts';
import { validateBashCommand } from '../../src/engine/runtime-adapter/guards/bash/validate-bash-command.ts';
import { fuzzValidator } from './fuzz-validator.ts';
import { createRandom } from './random.ts';

test('[AGM-17] a blocked command stays blocked however it is quoted, split and wrapped', () => {
  const report = fuzzValidator({ cases: 1_000, seed: 20_260, oracleEvery: 20 });
  expect(report.letThrough).toEqual([]);
  // The rewrites must be worth something: bash itself says that nearly all of them make the original call.
  expect(report.checked).toBeGreaterThan(20);
  expect(report.kept / report.checked).toBeGreaterThan(0.9);
});

test('whatever the expansion of a word claims to know is what bash makes of it', () => {
  const random = createRandom(7);
  const words = Array.from({ length: 2_500 }, () =>
    Array.from({ length: 1 + random.below(9) }, () => random.pick(PIECES)).join(''),
  );
  const expected = expandInBash(words);
  const wrong = words.flatMap((word, index) => {
    const ours = expandHere(word);
    const theirs = expected.get(index);
    if (ours === null || theirs === undefined) return [];
    return JSON.stringify(ours) === JSON.stringify(theirs) ? [] : [{ word, ours, theirs }];
  });
  expect(wrong).toEqual([]);
  expect(words.filter((word) => expandHere(word) !== null).length).toBeGreaterThan(500);
});

test('no script in which bash would start an unknown program is approved', () => {
  const random = createRandom(11);
  const approved = Array.from({ length: 30_000 }, () =>
    Array.from({ length: 2 + random.below(12) }, () => random.pick(TOKENS)).join(''),
  ).filter((script) => script.includes('evil') && validateBashCommand(script).decision === 'approve');
  expect(approved.length).toBeGreaterThan(20);
  expect(startsProgram(['evil', 'echo $(evil)', ...approved])).toEqual(['evil', 'echo $(evil)']);
});

const PIECES = [
  ' ',
  '\t',
  '\\\n',
  ...`a r m 0 ' " \\ { } , . .. / ~ * ? [ ] ! $' $" $ # = - @ ^ % + : é {a,b} {1..3} '' \\' \\\\ \${ $a \\n \\x72 \\162`.split(
    ' ',
  ),
];

const TOKENS = [
  ' ',
  '\n',
  '\\\n',
  '<<E\n',
  '\nE\n',
  "<<'E'\n",
  ...`evil_evil_evil x_echo _echo a_true_;_&&_||_|_&_(_)_{ _; }_$_$(_\`_\`_'_'_"_"_\\_#_<(_>(_<<<_\${x:-_}_$((_))_((`.split(
    '_',
  ),
  ...'[[ _ ]]_if _; then _; fi_for i in a; do _; done_while _case a in a) _;; esac_! _time _function _f() _f_coproc '.split(
    '_',
  ),
  ...`x=_x=(_a[_]=1_*_~_$'_$"_\${_#}_=_-_1_2>_&1_>o_a_E_<_<<_in_$x_$[_]_@(_!(_ [ _ ] _\\'_\\"_\\$_{a[_]}>o_a[$(evil)]`.split(
    '_',
  ),
];

/** Null where the expansion promises nothing. */
function expandHere(word: string): string[] | null {
  const source = `p ${word}`;
  const script = parse(source);
  const [statement, ...more] = script.commands;
  if (hasForbiddenCharacters(word) || hasOddLineEnd(source, script) || script.errors !== undefined) return null;
  if (statement?.command.type !== 'Command' || more.length > 0 || statement.command.redirects.length > 0) return null;
  const scope = { lookup: () => undefined, output: () => UNKNOWN };
  const fields = statement.command.args.flatMap((arg) => (arg.type === 'Word' ? expandWord(arg, scope) : [UNKNOWN]));
  return fields.every(isKnown) ? fields : null;
}

/** Missing where bash refuses the word. */
function expandInBash(words: readonly string[]): Map<number, string[]> {
  const output = bash(
    `p() { printf '\\003%s' "$index"; for word in "$@"; do printf '\\001%s' "$word"; done; printf '\\002'; }
     index=-1
     while IFS= read -r -d '' word; do
       index=$((index + 1))
       ( eval "p $word" ) < /dev/null 2> /dev/null || printf '\\003%s\\004\\002' "$index"
     done`,
    words,
  );
  const results = new Map<number, string[]>();
  for (const record of output.split('\u0002')) {
    const [index = '', ...fields] = record.slice(record.lastIndexOf('\u0003') + 1).split('\u0001');
    if (index.endsWith('\u0004')) results.delete(Number.parseInt(index, 10));
    else if (record.includes('\u0003')) results.set(Number(index), fields);
  }
  return results;
}

/** Those of the scripts in which bash looks for a program, of which it finds none. */
function startsProgram(scripts: readonly string[]): string[] {
  const output = bash(
    `command_not_found_handle() { [[ $1 != *evil* ]] || printf '%s\\n' "$index" >&9; }
     exec 9>&1
     index=-1
     while IFS= read -r -d '' script; do
       index=$((index + 1))
       ( eval "$script" ) < /dev/null > /dev/null 2>&1 &
       wait $!
     done`,
    scripts,
  );
  const found = new Set(output.split('\n').filter((line) => line !== ''));
  return scripts.filter((_, index) => found.has(String(index)));
}

/** Runs bash in an empty folder with no programs at all. */
function bash(script: string, input: readonly string[]): string {
  const cwd = mkdtempSync(join(tmpdir(), 'bash-'));
  try {
    const { stdout } = spawnSync('/bin/bash', ['-c', script], {
      cwd,
      env: { PATH: '/nonexistent', LC_ALL: 'C.UTF-8' },
      input: input.map((text) => `${text}\0`).join(''),
      encoding: 'utf8',
      maxBuffer: 100_000_000,
      timeout: 50_000,
    });
    return stdout;
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}
