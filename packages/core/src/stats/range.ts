/**
 * Returns `value` if it lies strictly between `low` and `high`.
 *
 * @throws RangeError naming the parameter otherwise.
 */
export function strictlyBetween(name: string, value: number, low: number, high: number): number {
  if (!(value > low && value < high)) throw new RangeError(`${name} must lie in (${low}, ${high}), got ${value}`);
  return value;
}

/**
 * Returns `value` if it lies between `low` and `high`, both included.
 *
 * @throws RangeError naming the parameter otherwise.
 */
export function between(name: string, value: number, low: number, high: number): number {
  if (!(value >= low && value <= high)) throw new RangeError(`${name} must lie in [${low}, ${high}], got ${value}`);
  return value;
}

/**
 * Returns `value` if it is positive and finite.
 *
 * @throws RangeError naming the parameter otherwise.
 */
export function positive(name: string, value: number): number {
  return strictlyBetween(name, value, 0, Infinity);
}

/**
 * Returns `alpha`, the level of a test, if it lies strictly between 0 and 1.
 *
 * @throws RangeError otherwise.
 */
export function checkAlpha(alpha: number): number {
  return strictlyBetween("alpha", alpha, 0, 1);
}

/**
 * Returns `value` if it is finite and not negative.
 *
 * @throws RangeError naming the parameter otherwise.
 */
export function notNegative(name: string, value: number): number {
  return between(name, value, 0, Number.MAX_VALUE);
}

/**
 * Checks that every list has `length` entries.
 *
 * @throws RangeError naming the lists otherwise.
 */
export function sameLength(names: string, length: number, lists: readonly ArrayLike<unknown>[]): void {
  if (lists.some((list) => list.length !== length)) throw new RangeError(`${names} must have ${length} entries each`);
}
