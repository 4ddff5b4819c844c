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
  const code = withoutLiterals(program);
  if (code === null || /\\/.test(code)) judge.refuse('unparsable-command');
  else if (/\b(?:system|getline)\b|@|\|(?!\|)(?<!\|\|)/.test(code.replaceAll('||', '  ')) || printsElsewhere(code)) {
    judge.refuse('inline-code');
  } else if (/\bENVIRON\b|\bPROCINFO\b/.test(code)) judge.refuse('print-environment');
  else if (/\bARG[VC]\b/.test(code)) judge.refuse('outside-folder');
}

/** `print x > "file"`; inside parentheses `>` compares. */
function printsElsewhere(code: string): boolean {
  return Array.from(code.matchAll(/\bprintf?\b([^;}\n]*)/g)).some(([, expression = '']) => {
    let flat = expression;
    for (let before = ''; flat !== before;) {
      before = flat;
      flat = flat.replaceAll(/\([^()]*\)/g, '');
    }
    return flat.includes('>');
  });
}

/** The program without strings, regular expressions and comments; null if it is not clear where they end. */
function withoutLiterals(program: string): string | null {
  let code = '';
  for (let index = 0; index < program.length; index += 1) {
    const character = program.charAt(index);
    const isOperand = /[\w)\]$"]\s*$/.test(code) && !/\b(?:in|return|print|printf)\s*$/.test(code);
    if (character === '#') {
      const end = program.indexOf('\n', index);
      index = end === -1 ? program.length : end - 1;
    } else if (character === '"' || (character === '/' && !isOperand)) {
      const end = endOfLiteral(program, index, character);
      if (end === null) return null;
      index = end;
      code += '"';
    } else code += character;
  }
  return code;
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
