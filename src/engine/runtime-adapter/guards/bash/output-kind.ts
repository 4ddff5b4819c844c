import type { Command, CommandNode, ParsedScript } from 'unbash';
import { expandWord, type Scope } from './expand-word.ts';
import { type Field, isKnown, isUnknown, UNKNOWN } from './field.ts';
import type { OutputKind } from './walk.ts';

/** What a command substitution prints: names of things in the folder, a number, or anything. */
export function outputOfScript(script: ParsedScript | undefined): OutputKind {
  const [statement, ...more] = script?.commands ?? [];
  if (statement === undefined || more.length > 0 || statement.background === true) return 'anything';
  const node = statement.command;
  const stages: readonly CommandNode[] =
    node.type === 'Pipeline' ? node.commands : node.type === 'Command' ? [node] : [];
  let kind: OutputKind = 'anything';
  for (const stage of stages) kind = stage.type === 'Command' ? outputOfCommand(stage, kind) : 'anything';
  return kind;
}

/** Whether it prints the folder it runs in (`pwd`) or the top of the worktree, and nothing else. */
export function placeOfScript(script: ParsedScript | undefined): 'folder' | 'top' | null {
  const [statement, ...more] = script?.commands ?? [];
  const node = statement?.command;
  if (node?.type !== 'Command' || more.length > 0 || node.prefix.length > 0 || node.redirects.length > 0) return null;
  const words = [node.name, ...node.args].map((word) => (word?.type === 'Word' ? word.text : ''));
  if (words.join(' ') === 'pwd') return 'folder';
  return words.join(' ') === 'git rev-parse --show-toplevel' ? 'top' : null;
}

/**
 * The same for one command of a pipeline. Names are promised only for programs that print each name as it is found
 * below the folders they were given; that those are inside is checked where the command itself is.
 */
export function outputOfCommand(command: Command, stdin: OutputKind): OutputKind {
  const name = command.name?.value;
  if (name === undefined || command.prefix.length > 0 || command.redirects.some(bringsInput)) return 'anything';
  const args = command.args.flatMap((arg) => (arg.type === 'Word' ? expandWord(arg, NOTHING_KNOWN) : [UNKNOWN]));
  if (args.some((arg) => isUnknown(arg) || arg.split('/').includes('..'))) return 'anything';
  return PRINTERS.get(name)?.(args, stdin) ?? 'anything';
}

const NOTHING_KNOWN: Scope = { lookup: () => undefined, output: () => UNKNOWN };

function bringsInput(redirection: Command['redirects'][number]): boolean {
  return redirection.operator.startsWith('<') && redirection.operator !== '<';
}

type Printer = (args: readonly Field[], stdin: OutputKind) => OutputKind;

/** Passes lines on as they are: no bytes cut off, nothing put before them, no files of its own. */
function filter(harmless: RegExp): Printer {
  return (args, stdin) => (args.every((arg) => harmless.test(arg)) ? stdin : 'anything');
}

const some = filter(/^-(?:n?[+-]?\d*)$|^[+-]?\d+$/);
const none = filter(/(?!)/);

const grep: Printer = (args, stdin) => {
  const flags = args.filter((arg) => arg.startsWith('-'));
  if (flags.some((flag) => flag.startsWith('--label'))) return 'anything';
  if (flags.some((flag) => /^-[a-zA-Z]*[lL]|^--files-with(?:out)?-match/.test(flag))) return 'names';
  if (flags.some((flag) => /^-[a-zA-Z]*c$|^--count$/.test(flag))) return args.length <= 2 ? 'number' : 'anything';
  return flags.every((flag) => /^-[vEFiwxPq]+$/.test(flag)) && args.length - flags.length === 1 ? stdin : 'anything';
};

const PRINTERS: ReadonlyMap<string, Printer> = new Map(
  Object.entries<Printer>({
    find: (args) =>
      args.some((arg) => /^-(?:exec|ok|printf|fprint|ls$|L$|H$|follow)/.test(arg)) ? 'anything' : 'names',
    ls: (args) => (args.every((arg) => !arg.startsWith('-') || /^-[1AdrtRSU]+$/.test(arg)) ? 'names' : 'anything'),
    rg: (args) => (args.some((arg) => /^(?:-l|--files|--files-with-matches)$/.test(arg)) ? 'names' : 'anything'),
    git: (args) => outputOfGit(args),
    grep,
    egrep: grep,
    fgrep: grep,
    cat: none,
    tac: none,
    uniq: none,
    head: some,
    tail: some,
    sort: filter(/^-[ufnrVhdi]+$/),
    wc: (args) => (args.length === 1 && /^-[lwcm]$/.test(args[0] ?? '') ? 'number' : 'anything'),
    nproc: () => 'number',
    date: (args) => (args.length === 1 && /^\+(?:%[sYmdHMSNj])+$/.test(args[0] ?? '') ? 'number' : 'anything'),
  }),
);

function outputOfGit(args: readonly Field[]): OutputKind {
  const [subcommand, ...rest] = args;
  const has = (option: string): boolean => rest.includes(option);
  switch (subcommand) {
    case 'ls-files':
      return rest.some((arg) => /^--(?:format|debug|eol)/.test(arg)) ? 'anything' : 'names';
    case 'diff':
      return has('--name-only') && !rest.some((arg) => arg.startsWith('--line')) ? 'names' : 'anything';
    case 'grep':
      return has('-l') || has('--name-only') ? 'names' : 'anything';
    case 'rev-parse':
      return /^(?:--short )?HEAD$/.test(rest.join(' ')) ? 'number' : 'anything';
    case 'merge-base':
      return rest.length === 2 && rest.every((arg) => isKnown(arg)) ? 'number' : 'anything';
    case undefined:
    default:
      return 'anything';
  }
}
