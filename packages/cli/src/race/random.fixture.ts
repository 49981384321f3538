/** Values that a seed decides. */
export interface Random {
  /** Returns an integer from 0 up to, but not including, a limit. */
  below(limit: number): number;
  one<T>(list: readonly T[]): T;
  shuffled<T>(list: readonly T[]): T[];
}

/** Creates values by the generator mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const below = (limit: number) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
  return {
    below,
    one: (list) => list[below(list.length)]!,
    shuffled(list) {
      const result = [...list];
      for (let last = result.length - 1; last > 0; last--) {
        const other = below(last + 1);
        [result[last], result[other]] = [result[other]!, result[last]!];
      }
      return result;
    },
  };
}
