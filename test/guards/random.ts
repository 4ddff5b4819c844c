/** Numbers that look random and are the same for the same seed. */
export interface Random {
  /** From 0 up to, not including, `limit`. */
  below(limit: number): number;
  pick<T>(choices: readonly T[]): T;
}

export function createRandom(seed: number): Random {
  let state = seed;
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * limit);
  };
  return {
    below,
    pick: (choices) => {
      const choice = choices[below(choices.length)];
      if (choice === undefined) throw new Error('There is nothing to choose from.');
      return choice;
    },
  };
}
