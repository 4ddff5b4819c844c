import { isKnown } from '../field.ts';
import type { Call } from '../walk.ts';
import type { Judge } from './program.ts';

/** The script may neither run commands (`e`, `s///e`) nor write (`w`); everything else about sed is harmless. */
export function checkSed(call: Call, judge: Judge): void {
  const scripts: string[] = [];
  const operands: string[] = [];
  const { args } = call;
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? '';
    const long = /^--(?:expression)=(.*)$/s.exec(arg);
    if (arg === '--') {
      operands.push(...args.slice(index + 1));
      break;
    } else if (long?.[1] !== undefined) scripts.push(long[1]);
    else if (/^-[nErsuz]*e$/.test(arg) || arg === '--expression') scripts.push(args[(index += 1)] ?? '');
    else if (/^-[nErsuz]*e/.test(arg)) scripts.push(arg.slice(arg.indexOf('e') + 1));
    else if (/^(?:-[nErsuz]*i[\w.]*|--in-place(?:=[\w.]+)?)$/.test(arg)) judge.write();
    else if (
      /^-[nErsuz]+$|^--(?:quiet|silent|regexp-extended|separate|null-data|unbuffered|sandbox|debug|posix|version|help)$/.test(
        arg,
      )
    )
      continue;
    else if (/^-./.test(arg)) judge.refuse('dangerous-option');
    else operands.push(arg);
  }
  if (scripts.length === 0) scripts.push(operands.shift() ?? '');
  const script = scripts.join('\n');
  if (!isKnown(script)) judge.refuse('unknown-value');
  else new SedScript(script, judge).check();
  for (const operand of operands) judge.path(operand);
}

class SedScript {
  #at = 0;
  readonly #text: string;
  readonly #judge: Judge;

  constructor(text: string, judge: Judge) {
    this.#text = text;
    this.#judge = judge;
  }

  check(): void {
    while (this.#at < this.#text.length) {
      this.#skip(/[\s;{}]*/y);
      this.#address();
      if (this.#skip(/,\s*/y) !== '') {
        this.#skip(/[+~]/y);
        this.#address();
      }
      this.#skip(/[\s!]*/y);
      this.#command(this.#text.charAt(this.#at++));
    }
  }

  #address(): void {
    if (this.#skip(/\d+(?:~\d+)?|\$/y) !== '') return;
    const opener = this.#skip(/\/|\\[^\n]/y);
    if (opener !== '') {
      this.#delimited(opener.slice(-1));
      this.#skip(/[IM]*/y);
    }
    this.#skip(/\s*/y);
  }

  #command(letter: string): void {
    switch (letter) {
      case 's': {
        const delimiter = this.#text.charAt(this.#at++);
        this.#delimited(delimiter);
        this.#delimited(delimiter);
        if (/[ew]/.test(this.#skip(/[a-zA-Z0-9]*/y))) this.#judge.refuse('inline-code');
        return;
      }
      case 'y': {
        const delimiter = this.#text.charAt(this.#at++);
        this.#delimited(delimiter);
        this.#delimited(delimiter);
        return;
      }
      case 'a':
      case 'i':
      case 'c':
        this.#skip(/(?:\\[\s\S]|[^\n\\])*/y);
        return;
      case 'r':
      case 'R':
        this.#judge.path(this.#skip(/[^\n]*/y).trim());
        return;
      case 'b':
      case 't':
      case 'T':
      case ':':
        // GNU sed ends a label at a blank, and what follows is a command: `:a w file`.
        this.#skip(/[^\S\n]*[^\s;}]*/y);
        return;
      case '#':
        this.#skip(/[^\n]*/y);
        return;
      case 'q':
      case 'Q':
      case 'l':
      case 'L':
        this.#skip(/\s*\d*/y);
        return;
      case '':
      case '{':
      case '}':
      case ';':
      case '=':
        return;
      default:
        if (!/[dDgGhHnNpPxzF]/.test(letter)) this.#judge.refuse('inline-code');
    }
  }

  /** Reads up to the next delimiter that is not escaped. */
  #delimited(delimiter: string): void {
    for (; this.#at < this.#text.length; this.#at += 1) {
      const character = this.#text.charAt(this.#at);
      if (character === '\\') this.#at += 1;
      else if (character === delimiter) {
        this.#at += 1;
        return;
      }
    }
    this.#judge.refuse('unparsable-command');
  }

  #skip(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [match = ''] = pattern.exec(this.#text) ?? [];
    this.#at += match.length;
    return match;
  }
}
