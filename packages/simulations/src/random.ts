/** A source of random numbers. The same seed and stream give the same numbers everywhere. */
export interface Random {
  /** Returns a uniform number in (0, 1), with 53 bits. */
  uniform(): number;
  /** Returns a standard normal number. */
  normal(): number;
  /** Returns an exponential number of mean 1. */
  exponential(): number;
  /** Returns a gamma number whose mean and variance are `shape`. */
  gamma(shape: number): number;
  beta(alpha: number, beta: number): number;
  binomial(n: number, p: number): number;
  /** Returns a Poisson number, for small means. */
  poisson(mean: number): number;
}

/** Returns FNV-1a over the UTF-16 units of a text, for a separate seed per stream. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return value >>> 0;
}

/**
 * Creates a source of words by splitmix32.
 *
 * Source: Steele, Lea and Flood, OOPSLA 2014, with the 32-bit finaliser of MurmurHash3.
 */
function createSplitMix(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let word = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35);
    return word ^ (word >>> 16);
  };
}

/**
 * Creates a source of words by xoshiro128++.
 *
 * Source: Blackman and Vigna, ACM Transactions on Mathematical Software 47 (2021).
 */
function createXoshiro(next: () => number): () => number {
  let [a, b, c, d] = [next(), next(), next(), next() | 1];
  return () => {
    const sum = (a + d) | 0;
    const word = (((sum << 7) | (sum >>> 25)) + a) | 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = (d << 11) | (d >>> 21);
    return word >>> 0;
  };
}

/** Creates the random numbers of one stream under a seed. Streams do not depend on each other's length. */
export function createRandom(seed: number, stream: string): Random {
  const word = createXoshiro(createSplitMix(seed ^ hash(stream)));
  const uniform = () => ((word() >>> 5) * 2 ** 26 + (word() >>> 6) + 0.5) / 2 ** 53;
  let spare: number | undefined;

  /**
   * Draws by Marsaglia's polar method.
   *
   * Source: Marsaglia and Bray, SIAM Review 6 (1964).
   */
  function normal(): number {
    if (spare !== undefined) {
      const kept = spare;
      spare = undefined;
      return kept;
    }
    for (;;) {
      const x = 2 * uniform() - 1;
      const y = 2 * uniform() - 1;
      const square = x * x + y * y;
      if (square >= 1 || square === 0) continue;
      const scale = Math.sqrt((-2 * Math.log(square)) / square);
      spare = y * scale;
      return x * scale;
    }
  }

  /**
   * Draws by the method of Marsaglia and Tsang.
   *
   * Source: ACM Transactions on Mathematical Software 26 (2000).
   */
  function gamma(shape: number): number {
    if (shape < 1) return gamma(shape + 1) * uniform() ** (1 / shape);
    const d = shape - 1 / 3;
    const c = 1 / Math.sqrt(9 * d);
    for (;;) {
      const x = normal();
      const v = (1 + c * x) ** 3;
      if (v > 0 && Math.log(uniform()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
    }
  }

  function beta(alphaShape: number, betaShape: number): number {
    const x = gamma(alphaShape);
    return x / (x + gamma(betaShape));
  }

  /**
   * Draws by the median of the uniforms below p, which is a beta variable.
   *
   * Source: Relles, JASA 67 (1972).
   */
  function binomial(n: number, p: number): number {
    let count = 0;
    let left = n;
    let chance = p;
    while (left > 40) {
      const middle = 1 + (left >> 1);
      const split = beta(middle, left + 1 - middle);
      if (split >= chance) {
        left = middle - 1;
        chance /= split;
      } else {
        count += middle;
        left -= middle;
        chance = (chance - split) / (1 - split);
      }
    }
    for (let i = 0; i < left; i++) if (uniform() < chance) count++;
    return count;
  }

  /**
   * Draws by multiplying uniforms.
   *
   * Source: Knuth, The Art of Computer Programming 2 (3rd ed. 1997), 3.4.1.
   */
  function poisson(mean: number): number {
    const least = Math.exp(-mean);
    let count = 0;
    for (let product = uniform(); product > least; product *= uniform()) count++;
    return count;
  }

  return { uniform, normal, exponential: () => -Math.log(uniform()), gamma, beta, binomial, poisson };
}
