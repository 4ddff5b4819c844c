import { PatchError } from '../domain/provider-error.ts';
import { decodeBase85 } from './base85.ts';
import type { BinaryChange } from './file-patch.ts';
import type { LineReader } from './line-reader.ts';
import { MAX_FILE_BYTES } from './limits.ts';

const BLOCK_HEADER = /^(literal|delta) (\d{1,15})$/;

/** Reads `GIT binary patch`: the change forward, then, if it is there, the way back, which is checked and dropped. */
export function parseBinaryChange(reader: LineReader): BinaryChange {
  if (reader.peekText() !== 'GIT binary patch') throw reader.malformed('not the head of a binary change.');
  reader.skipLine();
  const forward = parseBlock(reader);
  if (reader.startsWith('literal ') || reader.startsWith('delta ')) parseBlock(reader);
  return forward;
}

function parseBlock(reader: LineReader): BinaryChange {
  const match = BLOCK_HEADER.exec(reader.peekText());
  if (match === null) throw reader.malformed('`literal` or `delta` and a size were expected.');
  const size = Number(match[2]);
  if (size > MAX_FILE_BYTES) {
    throw new PatchError('refused', `Line ${reader.line} of the patch: a binary file of ${size} bytes is too large.`);
  }
  reader.skipLine();
  return { kind: 'binary', method: match[1] === 'delta' ? 'delta' : 'literal', size, deflated: parseData(reader) };
}

/** Lines of a length letter and base85 digits, up to an empty line. */
function parseData(reader: LineReader): Buffer {
  const { bytes } = reader;
  const end = bytes.indexOf('\n\n', reader.offset - 1);
  if (end === -1) throw reader.malformed('the patch ends inside a binary change.');
  const data = Buffer.allocUnsafe(end + 1 - reader.offset);
  let length = 0;
  while (reader.offset <= end) {
    const lineEnd = bytes.indexOf(10, reader.offset);
    const count = lineLength(bytes[reader.offset] ?? 0);
    const digits = lineEnd - reader.offset - 1;
    if (count === 0 || digits !== Math.ceil(count / 4) * 5) throw reader.malformed('a line of binary data is damaged.');
    const isDecoded = decodeBase85(bytes, reader.offset + 1, data, length, count);
    if (!isDecoded) throw reader.malformed('binary data holds characters that are not base85.');
    length += count;
    reader.offset = lineEnd + 1;
    reader.line += 1;
  }
  reader.skipLine();
  return data.subarray(0, length);
}

/** A-Z count 1 to 26 bytes, a-z 27 to 52; 0 for anything else. */
function lineLength(letter: number): number {
  if (letter >= 65 && letter <= 90) return letter - 64;
  if (letter >= 97 && letter <= 122) return letter - 70;
  return 0;
}
