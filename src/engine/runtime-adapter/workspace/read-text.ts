import { constants } from 'node:fs';
import { readFile } from 'node:fs/promises';

/**
 * A file's text, or null if there is none that can be read. For files that an agent could have replaced: a named pipe
 * reads as empty, where a plain read would wait for ever.
 */
export async function readText(path: string | Buffer, encoding: 'utf8' | 'latin1' = 'utf8'): Promise<string | null> {
  const flag = constants.O_RDONLY | constants.O_NONBLOCK;
  return readFile(path, { encoding, flag }).catch(() => null);
}
