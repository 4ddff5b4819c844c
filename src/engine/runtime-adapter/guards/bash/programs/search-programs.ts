import { checkAwkProgram } from './awk-program.ts';
import { checkRecursive } from './check-recursive.ts';
import { checkFind } from './find.ts';
import type { Judge, Program } from './program.ts';
import { checkSed } from './sed-script.ts';
import type { Call } from '../walk.ts';
import { isUnknown } from '../field.ts';

const grep: Program = {
  operands: 'pattern',
  patternOptions: ['-e', '-f', '--regexp', '--file'],
  text: [
    '-e',
    '-A',
    '-B',
    '-C',
    '-m',
    '--regexp',
    '--include',
    '--exclude',
    '--exclude-dir',
    '--max-count',
    '--context',
    '--after-context',
    '--before-context',
    '--label',
    '-d',
    '--directories',
    '--binary-files',
  ],
  stuck: ['--color', '--colour'],
  valued: ['-f', '--file', '--exclude-from'],
  flags:
    /^(?:-[abcEFGHhIiLlnoPqrsTUvwxyZz0-9]+|--(?:recursive|line-number|ignore-case|invert-match|word-regexp|count|files-with-matches|files-without-match|only-matching|quiet|silent|no-messages|no-filename|with-filename|extended-regexp|fixed-strings|perl-regexp|basic-regexp|line-regexp|null|text|color|colour|help|version))$/,
  refuse: { '-R': 'outside-folder', '--dereference-recursive': 'outside-folder' },
  check: (call, judge) => {
    if (call.args.some((arg) => /^-[a-zA-Z]*r|^--rec|^--dir/.test(arg))) checkRecursive(call, judge);
  },
};

/** Programs that search and transform text: their first operand is a pattern, a script or a program. */
export const SEARCH_PROGRAMS: Readonly<Record<string, Program>> = {
  grep,
  egrep: grep,
  fgrep: grep,
  zgrep: grep,
  rg: {
    operands: 'pattern',
    patternOptions: ['-e', '-f', '--regexp', '--file', '--files', '--type-list'],
    text: [
      '-e',
      '--regexp',
      '-g',
      '--glob',
      '--iglob',
      '-t',
      '--type',
      '-T',
      '--type-not',
      '-A',
      '-B',
      '-C',
      '-m',
      '--max-count',
      '--context',
      '--after-context',
      '--before-context',
      '--max-depth',
      '-d',
      '--sort',
      '--sortr',
      '--color',
      '-r',
      '--replace',
      '-M',
      '--max-columns',
      '-j',
      '--threads',
      '--type-add',
      '-E',
      '--encoding',
    ],
    valued: ['-f', '--file', '--ignore-file'],
    flags:
      /^(?:-[aceFHhiIlLnNopPqsSuUvVwxz0]+|--(?:files|hidden|no-ignore|no-ignore-vcs|json|count|count-matches|multiline|multiline-dotall|fixed-strings|ignore-case|smart-case|case-sensitive|word-regexp|line-number|no-line-number|files-with-matches|files-without-match|only-matching|no-heading|heading|with-filename|no-filename|invert-match|pcre2|quiet|stats|trim|vimgrep|column|type-list|version|help|no-messages|no-config|text|null|pretty|unrestricted))$/,
    refuse: {
      '--pre': 'dangerous-option',
      '--pre-glob': 'dangerous-option',
      '--hostname-bin': 'dangerous-option',
      '--follow': 'outside-folder',
      '-L': 'outside-folder',
      '-z': 'dangerous-option',
      '--search-zip': 'dangerous-option',
    },
    check: (call, judge) => {
      if (call.args.some((arg) => /^-\w*u|^--(?:no-i|hid|unr|[i-]?glob)|^-g|^-\./.test(arg)))
        checkRecursive(call, judge);
    },
  },
  jq: {
    operands: 'pattern',
    patternOptions: ['-f', '--from-file'],
    text: ['--indent'],
    valued: ['-f', '--from-file'],
    flags:
      /^(?:-[acCeMnrRsSj0h]+|--(?:raw-output|raw-input|compact-output|null-input|slurp|sort-keys|exit-status|tab|color-output|monochrome-output|ascii-output|join-output|seq|stream))$/,
    check: checkJq,
  },
  find: { special: true, check: checkFind },
  sed: { special: true, check: checkSed },
  awk: { special: true, check: checkAwkProgram },
  gawk: { special: true, check: checkAwkProgram },
  mawk: { special: true, check: checkAwkProgram },
};

/** The environment, and modules from anywhere, are within the reach of a filter. */
function checkJq(call: Call, judge: Judge): void {
  for (const arg of call.args) {
    if (/(?<![.\w"'])env\b|\$ENV|\$__prog/.test(arg)) judge.refuse('print-environment');
    if (/\b(?:import|include)\b|input_filename|get_search_list/.test(arg)) judge.refuse('dangerous-option');
    if (/^(?:-L|--(?:library-path|rawfile|slurpfile|args|jsonargs|arg|argjson)$)/.test(arg)) checkJqOption(call, judge);
    if (isUnknown(arg)) judge.refuse('unknown-value');
  }
}

/** Options that take a name first: let every further argument be a path, whatever it is. */
function checkJqOption(call: Call, judge: Judge): void {
  const filterAt = call.args.findIndex((arg) => !arg.startsWith('-'));
  for (const [index, arg] of call.args.entries()) if (index !== filterAt && !arg.startsWith('-')) judge.path(arg);
  if (call.args.some((arg) => arg.startsWith('-L') || arg.startsWith('--library-path')))
    judge.refuse('dangerous-option');
}
