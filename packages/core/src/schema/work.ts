/** Thrown where a check of a value takes more work than allowed. */
export class TooMuchWork extends Error {
  override readonly name = "TooMuchWork";
}

/** What is left of the work that checks may take. Alternatives in alternatives would otherwise take exponential time. */
export interface Work {
  /** @throws TooMuchWork */
  spend(amount: number): void;
  /** Counts a schema within a schema. @throws TooMuchWork if they are nested too deeply */
  enter(): void;
  leave(): void;
}

/** About 100,000 schemas applied to values, or the same time for texts that patterns read. */
const MAX_WORK = 2_000_000;
export const VISIT = 20;
/** Far from the end of the stack of any platform. */
const MAX_NESTED = 500;

/** Creates an allowance, for one check or several together. */
export function createWork(): Work {
  let left = MAX_WORK;
  let depth = 0;
  return {
    spend(amount) {
      left -= amount;
      if (left < 0) throw new TooMuchWork("The check takes too long");
    },
    enter() {
      depth += 1;
      if (depth > MAX_NESTED) throw new TooMuchWork("The value is nested too deeply");
    },
    leave() {
      depth -= 1;
    },
  };
}
