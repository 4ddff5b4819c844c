import { type Field, hasGlob, isKnown, isUnknown, mayBeOption, SPLIT, TILDE } from '../field.ts';
import type { RuleName } from '../rules.ts';
import type { Judge, Program } from './program.ts';

/** The generic judgement of a program's arguments. */
export function checkArguments(args: readonly Field[], program: Program, judge: Judge): void {
  const reader = new ArgumentReader(args, program, judge);
  const operands = reader.read();
  if (program.operands === 'text') return;
  const [first, ...rest] = operands;
  if (first === undefined) return;
  const isPattern = program.operands === 'pattern' && reader.orderIsKnown && !reader.patternGiven;
  // `@file` stands for the arguments in that file.
  for (const operand of operands) if (operand.startsWith('@')) judge.path(operand.slice(1));
  if (runsCode(program)) for (const operand of operands) for (const path of pathsIn(operand)) judge.mayLead(path);
  if (!isPattern) judge.path(first);
  else if (isUnknown(first) && (!reader.ended || hasGlob(first))) judge.refuse('unknown-value');
  for (const operand of rest) judge.path(operand);
}

/** Compilers, test runners and the like: of their many options only the usual ones are known. */
function runsCode({ access }: Program): boolean {
  return access === 'run' || access === 'check';
}

/** Paths behind something else in one argument: `cache_dir=/tmp`, `a.scss:/tmp/a.css`, `-Wl,-o,/tmp/x`. */
function pathsIn(arg: Field): string[] {
  const file = /^(?:[\w-]+=)?file:\/{0,2}(\/.*)$/is.exec(arg)?.[1];
  if (file !== undefined) return [file];
  return arg.includes('://')
    ? []
    : arg
        .split(/[=:,]/)
        .slice(1)
        .filter((part) => /^(?:[/~]|\.\.)/.test(part));
}

class ArgumentReader {
  /** False once an option was met of which we do not know whether the next argument belongs to it. */
  orderIsKnown = true;
  patternGiven = false;
  /** After `--`. */
  ended = false;
  readonly #args: readonly Field[];
  readonly #program: Program;
  readonly #judge: Judge;

  constructor(args: readonly Field[], program: Program, judge: Judge) {
    this.#args = args;
    this.#program = program;
    this.#judge = judge;
  }

  read(): Field[] {
    const operands: Field[] = [];
    // What such programs get after `--` are options of yet another program.
    const passesOn = runsCode(this.#program);
    for (let index = 0; index < this.#args.length; index += 1) {
      const arg = this.#args[index] ?? '';
      if (!this.ended && arg === '--') this.ended = !passesOn;
      else if (this.ended || !arg.startsWith('-') || arg === '-') operands.push(arg);
      else index += this.#readOption(arg, this.#args[index + 1]);
    }
    const minds = this.#program.operands !== 'text' || this.#program.refuse !== undefined;
    if (!this.ended && minds && operands.some(couldTurnIntoOption)) {
      this.#judge.refuse('unknown-value');
    }
    return operands;
  }

  /** Returns how many of the following arguments belong to the option. */
  #readOption(arg: Field, next: Field | undefined): number {
    const { text = [], stuck = [], valued = [], patternOptions = [], flags } = this.#program;
    const rule = refusedBy(arg, this.#program.refuse ?? {});
    if (rule !== null) this.#judge.refuse(rule);
    if ((this.#program.writes ?? []).some((option) => matches(arg, option))) this.#judge.write();

    const equals = arg.indexOf('=');
    const name = equals === -1 ? arg : arg.slice(0, equals);
    if (patternOptions.some((option) => name === option || isShortWith(arg, option))) this.patternGiven = true;
    if (stuck.includes(name)) return 0;
    if (text.includes(name)) return equals === -1 ? this.#text(next) : 0;
    const shortText = text.find((option) => isShortWith(arg, option));
    if (shortText !== undefined) return arg.length > 2 ? 0 : this.#text(next);
    if (equals === -1 && valued.includes(name)) {
      if (next !== undefined) this.#judge.path(next);
      return 1;
    }
    if (isUnknown(arg)) this.#judge.refuse('unknown-value');
    if (flags?.test(arg) !== true && !(equals !== -1 && valued.includes(name))) {
      this.orderIsKnown = clusterEndsInText(arg, text, flags) && this.orderIsKnown;
      if (this.orderIsKnown) {
        this.patternGiven ||= patternOptions.includes(`-${arg.slice(-1)}`);
        return this.#text(next);
      }
    }
    this.#checkAttached(arg, equals);
    return 0;
  }

  #text(value: Field | undefined): number {
    if (value === undefined) return 1;
    // An unquoted value may be several arguments, of which the later ones are no longer text.
    if (value.includes(SPLIT)) this.#judge.refuse('unknown-value');
    // The same letter is a flag of another of the many programs that run code: then the next argument stands for itself.
    if (!runsCode(this.#program)) return 1;
    if (value.startsWith('-')) return 0;
    this.#judge.mayLead(value);
    return 1;
  }

  #checkAttached(arg: Field, equals: number): void {
    if (equals !== -1) this.#judge.path(arg.slice(equals + 1));
    if (runsCode(this.#program)) for (const path of pathsIn(arg)) this.#judge.mayLead(path);
    if (arg.startsWith('--')) return;
    const attached = arg.slice(2);
    if (equals === -1 && (/[/~]|^\.\.$/.test(attached) || attached.includes(TILDE))) this.#judge.path(attached);
    // Flags can come before the option with the value: `sort -uo/tmp/x`.
    const letters = Math.min(/^-[A-Za-z0-9]*/.exec(arg)?.[0].length ?? 1, MOST_FLAGS);
    for (let at = 2; at <= letters && at < arg.length; at += 1) this.#judge.mayLead(arg.slice(at));
  }
}

/** More letters in a row than this are no flags. */
const MOST_FLAGS = 30;

/** The rule by which an option is refused, or null. */
export function refusedBy(arg: Field, refused: Readonly<Record<string, RuleName>>): RuleName | null {
  for (const [option, rule] of Object.entries(refused)) if (matches(arg, option)) return rule;
  return null;
}

/** Whether an argument is, contains (in a cluster) or abbreviates an option. */
export function matches(arg: Field, option: string): boolean {
  const name = arg.split('=')[0] ?? arg;
  if (option.startsWith('--')) return name.length > 2 && name.startsWith('--') && option.startsWith(name);
  if (option.length > 2) return name === option || name === `-${option}`;
  return /^-[^-]/.test(arg) && arg.slice(1).includes(option.slice(1));
}

/** `-m` matches `-m`, `-mtext` and, in a cluster of flags, `-am`. */
function isShortWith(arg: Field, option: string): boolean {
  return option.length === 2 && !option.startsWith('--') && arg.startsWith(option);
}

/** `-rne`: known flags and then an option that takes the next argument as its text. */
function clusterEndsInText(arg: Field, text: readonly string[], flags: RegExp | undefined): boolean {
  if (flags === undefined || !/^-[a-zA-Z]{2,}$/.test(arg)) return false;
  return flags.test(arg.slice(0, -1)) && text.includes(`-${arg.slice(-1)}`);
}

function couldTurnIntoOption(operand: Field): boolean {
  return !isKnown(operand) && mayBeOption(operand) && isUnknown(operand);
}
