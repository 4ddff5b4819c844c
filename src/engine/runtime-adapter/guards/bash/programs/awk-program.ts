import { type Field, isKnown } from '../field.ts';
import type { Call } from '../walk.ts';
import type { Judge } from './program.ts';

/** The program may neither run commands, nor write, nor read files or variables that it was not given. */
export function checkAwkProgram(call: Call, judge: Judge): void {
  const operands: Field[] = [];
  let fromFile = false;
  const { args } = call;
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? '';
    if (arg === '--') {
      operands.push(...args.slice(index + 1));
      break;
    } else if (/^-[Fv]$/.test(arg)) index += 1;
    else if (/^-[Fv].|^--(?:field-separator|assign)=|^--csv$/.test(arg)) continue;
    else if (arg === '-f') {
      const file = args[(index += 1)] ?? '';
      judge.path(file);
      if (!isKnown(file) || file.startsWith('-') || file.startsWith('/dev/')) judge.refuse('inline-code');
      fromFile = true;
    } else if (/^-./.test(arg)) judge.refuse('dangerous-option');
    else operands.push(arg);
  }
  if (!fromFile) checkText(operands.shift() ?? '', judge);
  for (const operand of operands) judge.path(operand.replace(/^[A-Za-z_]\w*=/, ''));
}

function checkText(program: Field, judge: Judge): void {
  if (!isKnown(program)) {
    judge.refuse('unknown-value');
    return;
  }
  const readings = readAwk(program);
  if (readings.length === 0) judge.refuse('unparsable-command');
  for (const code of readings) checkCode(code, judge);
}

/** What an awk program says apart from its strings, regular expressions and comments. */
function checkCode(code: string, judge: Judge): void {
  if (code.includes('\\')) judge.refuse('unparsable-command');
  if (/\b(?:system|getline)\b|[@|]/.test(code.replaceAll('||', ' ')) || printsElsewhere(code))
    judge.refuse('inline-code');
  if (/\b(?:ENVIRON|PROCINFO)\b/.test(code)) judge.refuse('print-environment');
  if (/\bARG(?:V|C|IND)\b/.test(code)) judge.refuse('outside-folder');
}

/** `print x > "file"`; inside parentheses `>` compares. */
function printsElsewhere(code: string): boolean {
  const joined = code.replaceAll(/(,|&&|\|\|)\s*\n/g, '$1 ');
  return Array.from(joined.matchAll(/\bprintf?\b([^;}\n]*)/g)).some(([, expression = '']) => {
    let flat = expression;
    for (let before = ''; flat !== before;) {
      before = flat;
      flat = flat.replaceAll(/\([^()]*\)/g, '');
    }
    return flat.includes('>');
  });
}

/**
 * A slash divides or starts a regular expression, which only awk's grammar can tell in some places: then both readings
 * are looked at. A reading in which a literal does not end is none. No readings: too long, or too many.
 */
function readAwk(program: string): string[] {
  if (program.length > MOST_CHARACTERS) return [];
  const readings: string[] = [];
  const open = [{ index: 0, code: '' }];
  for (let reading = open.pop(); reading !== undefined; reading = open.pop()) {
    if (readings.length + open.length > MOST_READINGS) return [];
    const next = readOn(program, reading.index, reading.code);
    if (next.every(({ index }) => index >= program.length)) readings.push(...next.map(({ code }) => code));
    else open.push(...next);
  }
  return readings;
}

const MOST_CHARACTERS = 5_000;
const MOST_READINGS = 64;

interface Reading {
  readonly index: number;
  readonly code: string;
}

/** Reads up to and over the next literal, or to the end. */
function readOn(program: string, from: number, before: string): Reading[] {
  let code = before;
  for (let index = from; index < program.length; index += 1) {
    const character = program.charAt(index);
    const slash = character === '/' ? slashAfter(code) : null;
    if (character === '#') {
      const end = program.indexOf('\n', index);
      index = end === -1 ? program.length : end - 1;
    } else if (character === '"' || slash === 'regex' || slash === 'either') {
      const end = endOfLiteral(program, index, character);
      const asLiteral = end === null ? [] : [{ index: end + 1, code: `${code}"` }];
      return slash === 'either' ? [...asLiteral, { index: index + 1, code: `${code}/` }] : asLiteral;
    } else code += character;
  }
  return [{ index: program.length, code }];
}

function slashAfter(code: string): 'regex' | 'divide' | 'either' {
  const text = code.trimEnd();
  if (/(?:\)|\+\+|--|\blength)$/.test(text)) return 'either';
  if (/(?:^|[({,;!~&|?:=<>}\n]|\b(?:in|return|print|printf|else|do|case))$/.test(text)) return 'regex';
  return /[\w\]$"]$/.test(text) ? 'divide' : 'either';
}

function endOfLiteral(program: string, start: number, delimiter: string): number | null {
  for (let index = start + 1; index < program.length; index += 1) {
    const character = program.charAt(index);
    if (character === '\\') index += 1;
    else if (character === '\n') return null;
    else if (character === delimiter) {
      // Awks differ on a slash in brackets: let nobody rely on one reading.
      const inner = program.slice(start + 1, index);
      return delimiter === '/' && inner.lastIndexOf('[') > inner.lastIndexOf(']') ? null : index;
    }
  }
  return null;
}
