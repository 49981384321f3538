// What `trace.ts` is where nothing is explained. Bundlers drop calls of empty functions, and what the calls would say.

/** Begins no explanation. */
export function startTrace(): null {
  return null;
}

/** Adds nothing. */
export function note(): void {}

/** Adds nothing. */
export function noteCondition(): void {}

/** Adds nothing. */
export function notePrerequisite(): void {}

/** Adds nothing. */
export function noteBarrier(): void {}

/** Adds nothing. */
export function noteDraw(): void {}
