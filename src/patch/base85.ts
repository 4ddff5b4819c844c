const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~';
const INVALID = 255;
const VALUES = valuesByCharacter();

/**
 * Decodes `count` bytes of git's base85 (not the Ascii85 or Z85 alphabet) into `target`; every five digits make four
 * bytes. Returns false for a foreign character or a group over 32 bits.
 */
export function decodeBase85(
  source: Buffer,
  sourceStart: number,
  target: Buffer,
  targetStart: number,
  count: number,
): boolean {
  let from = sourceStart;
  let to = targetStart;
  const end = targetStart + count;
  while (to < end) {
    let group = 0;
    for (let digit = 0; digit < 5; digit += 1) {
      const value = VALUES[source[from] ?? 0] ?? INVALID;
      if (value === INVALID) return false;
      group = group * 85 + value;
      from += 1;
    }
    if (group > 0xffffffff) return false;
    for (let shift = 24; shift >= 0 && to < end; shift -= 8) {
      target[to] = group >>> shift;
      to += 1;
    }
  }
  return true;
}

function valuesByCharacter(): Uint8Array {
  const values = new Uint8Array(256).fill(INVALID);
  for (let value = 0; value < ALPHABET.length; value += 1) values[ALPHABET.charCodeAt(value)] = value;
  return values;
}
