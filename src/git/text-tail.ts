/** Keeps the end of a stream of bytes, for error messages. */
export interface TextTail {
  add(chunk: Buffer): void;
  text(): string;
}

export function createTextTail(limit = 8_192): TextTail {
  let kept = Buffer.alloc(0);
  return {
    add: (chunk) => {
      kept = Buffer.concat([kept, chunk]).subarray(-limit);
    },
    text: () => kept.toString('utf8').trim(),
  };
}
