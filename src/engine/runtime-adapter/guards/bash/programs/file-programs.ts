import { dirname } from 'node:path';
import { isKnown } from '../field.ts';
import type { Call } from '../walk.ts';
import { checkRecursive } from './check-recursive.ts';
import type { Judge, Program } from './program.ts';

const read: Program = {};
const write: Program = { access: 'write' };
/** Writes its second operand. */
const twoFiles: Program = {
  check: (call, judge) => {
    if (call.args.filter((arg) => !arg.startsWith('-')).length > 1) judge.write();
  },
};

/** Programs whose arguments are files. */
export const FILE_PROGRAMS: Readonly<Record<string, Program>> = {
  cat: read,
  ls: { text: ['--ignore', '--hide', '-I'] },
  head: { text: ['-n', '-c', '--lines', '--bytes'] },
  tail: { text: ['-n', '-c', '--lines', '--bytes', '--pid', '-s'] },
  wc: { refuse: { '--files0-from': 'dangerous-option' } },
  sort: {
    text: ['-t', '-k', '--field-separator', '--key', '--parallel', '-S'],
    refuse: { '--compress-program': 'dangerous-option', '--files0-from': 'dangerous-option' },
    writes: ['-o', '--output'],
  },
  uniq: twoFiles,
  cut: { text: ['-d', '-f', '-c', '-b', '--delimiter', '--fields', '--output-delimiter'] },
  paste: { text: ['-d', '--delimiters'] },
  column: { text: ['-s', '-o', '--separator'] },
  comm: read,
  join: { text: ['-t'] },
  nl: { text: ['-s', '-b', '-w', '-v'] },
  tac: { text: ['-s'] },
  rev: read,
  fold: read,
  fmt: read,
  expand: read,
  unexpand: read,
  od: read,
  xxd: twoFiles,
  hexdump: { text: ['-e'] },
  strings: read,
  file: { refuse: { '-f': 'dangerous-option', '--files-from': 'dangerous-option', '-C': 'dangerous-option' } },
  stat: { text: ['-c', '--format', '--printf'] },
  du: {
    text: ['--exclude', '--max-depth', '-d'],
    refuse: { '--files0-from': 'dangerous-option', '-L': 'outside-folder' },
  },
  tree: { text: ['-I', '-P', '-L'], refuse: { '-l': 'outside-folder' }, writes: ['-o'] },
  realpath: read,
  readlink: read,
  diff: {
    text: ['--exclude', '-x', '-I', '--label', '-L', '-U', '-C'],
    stuck: ['--color', '--unified', '--context'],
    flags: /^-[a-zA-Z0-9]+$/,
    check: (call, judge) => {
      if (call.args.some((arg) => /^-[a-zA-Z]*r|^--rec/.test(arg))) checkRecursive(call, judge);
    },
  },
  cmp: read,
  md5sum: read,
  sha1sum: read,
  sha256sum: read,
  sha512sum: read,
  cksum: read,
  base64: read,
  base32: read,
  zcat: read,
  tee: write,
  mkdir: { access: 'write', text: ['-m', '--mode'] },
  touch: { access: 'write', text: ['-d', '-t', '--date'] },
  cp: {
    access: 'write',
    refuse: OUT('-s', '--symbolic-link', '-L', '-H', '--dereference'),
  },
  mv: write,
  split: { access: 'write', text: ['-a', '-b', '-l', '-n', '-C'], refuse: { '--filter': 'dangerous-option' } },
  patch: {
    access: 'write',
    text: ['-p', '-F', '-D', '-V'],
    refuse: {
      '-e': 'dangerous-option',
      '--ed': 'dangerous-option',
      '-g': 'dangerous-option',
      '--get': 'dangerous-option',
    },
  },
  gzip: write,
  gunzip: write,
  unzip: { access: 'write', refuse: { '-:': 'outside-folder' } },
  tar: {
    access: 'write',
    text: ['--exclude', '--strip-components', '--transform'],
    refuse: {
      '--checkpoint-action': 'dangerous-option',
      '--to-command': 'dangerous-option',
      '--use-compress-program': 'dangerous-option',
      '-I': 'dangerous-option',
      '-F': 'dangerous-option',
      '--info-script': 'dangerous-option',
      '--new-volume-script': 'dangerous-option',
      '--rsh-command': 'dangerous-option',
      '--rmt-command': 'dangerous-option',
      '--remove-files': 'delete-files',
      '--recursive-unlink': 'delete-files',
      '--unlink-first': 'delete-files',
      '-U': 'delete-files',
      '--absolute-names': 'outside-folder',
      '-P': 'outside-folder',
      '--dereference': 'outside-folder',
      '-h': 'outside-folder',
      '--files-from': 'dangerous-option',
      '-T': 'dangerous-option',
    },
    check: checkTar,
  },
  chmod: { access: 'write', special: true, check: checkChmod },
  ln: { access: 'write', special: true, check: checkLink },
};

/** Options that make links, or follow those inside a folder. */
function OUT(...options: string[]): Record<string, 'outside-folder'> {
  return Object.fromEntries(options.map((option) => [option, 'outside-folder'] as const));
}

/** `host:file` is another machine; the old style without a dash can hide every short option. */
function checkTar(call: Call, judge: Judge): void {
  if (/^-?[a-zA-Z]*c|^--create$/.test(call.args[0] ?? '') || call.args.includes('-c')) checkRecursive(call, judge);
  if (call.args.some((arg) => arg.includes(':'))) judge.refuse('network');
  if (/[IFPUTh]/.test(call.args[0] ?? '') && !(call.args[0] ?? '').includes('-')) judge.refuse('dangerous-option');
}

function checkChmod(call: Call, judge: Judge): void {
  const operands = call.args.filter((arg) => !/^-[Rvcf]+$/.test(arg) && arg !== '--');
  const [mode, ...files] = operands;
  if (mode === undefined || !/^[ugoa]*\+x$/.test(mode)) judge.refuse('change-mode');
  for (const file of files) judge.path(file);
}

/** Both ends of a link must be inside; a symbolic link's target is seen from where the link will be. */
function checkLink(call: Call, judge: Judge): void {
  const isFlag = (arg: string): boolean => /^-[sfnv]+$|^--symbolic$/.test(arg);
  const symbolic = call.args.some((arg) => isFlag(arg) && arg.includes('s'));
  const operands = call.args.filter((arg) => !isFlag(arg) && arg !== '--');
  const [target, link = '.'] = operands;
  if (operands.length > 2 || operands.some((arg) => arg.startsWith('-'))) judge.refuse('dangerous-option');
  if (target === undefined || !isKnown(target) || !isKnown(link)) {
    judge.refuse('unknown-value');
    return;
  }
  judge.path(link);
  if (!symbolic || target.startsWith('/')) judge.path(target);
  else for (const folder of [dirname(link), link]) judge.path(`${folder}/${target}`);
}
