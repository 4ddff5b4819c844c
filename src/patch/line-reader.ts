import { PatchError } from '../domain/provider-error.ts';

const NEWLINE = 10;

/** Walks over the lines of a patch without copying them. `line` counts from 1, for messages. */
export class LineReader {
  readonly bytes: Buffer;
  offset = 0;
  line = 1;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  get isDone(): boolean {
    return this.offset >= this.bytes.length;
  }

  /** The offset after the current line, its newline included. */
  get lineEnd(): number {
    return endOfLine(this.bytes, this.offset);
  }

  /** Whether the current line is complete, i.e. ends in a newline. */
  get isTerminated(): boolean {
    return this.bytes[this.lineEnd - 1] === NEWLINE;
  }

  startsWith(prefix: string, offset = this.offset): boolean {
    if (offset + prefix.length > this.bytes.length) return false;
    for (let index = 0; index < prefix.length; index += 1) {
      if (this.bytes[offset + index] !== prefix.charCodeAt(index)) return false;
    }
    return true;
  }

  /** The current line without its newline, one character a byte. */
  peekText(): string {
    const end = this.isTerminated ? this.lineEnd - 1 : this.lineEnd;
    return this.bytes.toString('latin1', this.offset, end);
  }

  skipLine(): void {
    this.offset = this.lineEnd;
    this.line += 1;
  }

  malformed(message: string, cause?: unknown): PatchError {
    return new PatchError('malformed', `Line ${this.line} of the patch: ${message}`, { cause });
  }
}

/** Most lines are short, and a call of `indexOf` costs as much as looking at this many bytes. */
const NEAR = 80;

export function endOfLine(bytes: Buffer, offset: number): number {
  const near = Math.min(offset + NEAR, bytes.length);
  for (let at = offset; at < near; at += 1) {
    if (bytes[at] === NEWLINE) return at + 1;
  }
  const newline = bytes.indexOf(NEWLINE, near);
  return newline === -1 ? bytes.length : newline + 1;
}
