import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { validateBashCommand } from '../../src/engine/runtime-adapter/guards/bash/validate-bash-command.ts';
import { createRandom } from './random.ts';
import { rewriteCommand } from './rewrite-command.ts';
import { createBashOracle, REAL_PROGRAMS } from './run-in-bash.ts';

export interface FuzzReport {
  readonly cases: number;
  readonly seeds: number;
  /** Rewrites that real bash was asked about, and those of them that called what the original calls. */
  readonly checked: number;
  readonly kept: number;
  /** Rewrites that keep the meaning of a blocked command and were approved. */
  readonly letThrough: readonly string[];
}

/**
 * Rewrites blocked commands in ways that mean the same to bash and asks the validator again. Every `oracleEvery`th
 * rewrite is also run in real bash with harmless stand-ins, to see that it still makes the same call.
 */
export function fuzzValidator(options: { cases: number; seed: number; oracleEvery: number }): FuzzReport {
  const random = createRandom(options.seed);
  const seeds = blockedCommands();
  const oracle = createBashOracle([...new Set(seeds.map(([name]) => name ?? ''))].filter(isPlainProgram));
  const letThrough: string[] = [];
  let checked = 0;
  let kept = 0;
  try {
    for (let index = 0; index < options.cases; index += 1) {
      const argv = random.pick(seeds);
      const command = rewriteCommand(argv, random);
      const approved = validateBashCommand(command).decision === 'approve';
      const askBash = (approved || index % options.oracleEvery === 0) && isPlainProgram(argv[0] ?? '');
      const calls = askBash ? oracle.callsOf(command) : null;
      const same = calls?.some((call) => call.join('\0') === argv.join('\0')) ?? true;
      if (calls !== null) checked += 1;
      if (calls !== null && same) kept += 1;
      if (approved && same) letThrough.push(command);
    }
  } finally {
    oracle.close();
  }
  return { cases: options.cases, seeds: seeds.length, checked, kept, letThrough };
}

/** Every command of the corpus that is blocked and is a plain list of words, and a few whose words are code. */
function blockedCommands(): string[][] {
  const corpus = z
    .record(z.string(), z.array(z.string()))
    .parse(JSON.parse(readFileSync(new URL('corpus.json', import.meta.url), 'utf8')));
  const plain = Object.entries(corpus)
    .filter(([outcome]) => outcome !== 'approve')
    .flatMap(([, commands]) => commands)
    .filter((command) => /^[\w./-]+(?: [\w./:@%+,=-]+)*$/.test(command))
    .map((command) => command.split(' '))
    .filter(([name = '']) => !KEYWORDS.has(name));
  return [...plain, ...CODE];
}

const KEYWORDS: ReadonlySet<string> = new Set('if for while until case function coproc time select'.split(' '));
const BUILTINS: ReadonlySet<string> = new Set(
  (
    '. : alias bind builtin cd command compgen declare dirs disown enable eval exec export fc hash kill let local mapfile ' +
    'printf pushd read readarray readonly set shopt source test trap type typeset ulimit umask unset wait'
  ).split(' '),
);

/** A program that a stand-in can take the place of. */
function isPlainProgram(name: string): boolean {
  return /^[\w-]+$/.test(name) && !BUILTINS.has(name) && !REAL_PROGRAMS.includes(name);
}

const CODE: string[][] = [
  ['awk', 'BEGIN{system("rm x")}'],
  ['awk', '{print > "/tmp/x"}', 'f'],
  ['sed', 's/x/y/e', 'f'],
  ['sed', '-n', '1e rm x', 'f'],
  ['git', '-c', 'alias.x=!sh', 'x'],
  ['git', 'commit', '-m', 'x', '--template=/etc/passwd'],
  ['node', '-e', 'process.exit()'],
  ['python3', '-c', 'import os'],
  ['make', 'A=$(shell rm x)'],
  ['find', '.', '-name', '*', '-exec', 'rm', '{}', ';'],
  ['find', '.', '-type', 'f', '-delete'],
  ['tar', '-cf', 'x', '--checkpoint-action=exec=rm x', '.'],
  ['cat', '/etc/passwd'],
  ['cp', '/etc/passwd', 'x y'],
  ['grep', '-r', 'a|b', '/etc'],
  ['ln', '-s', '/', 'a b'],
];
