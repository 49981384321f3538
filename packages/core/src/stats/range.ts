/**
 * Answers `value` if it lies strictly between `low` and `high`.
 *
 * @throws RangeError naming the parameter otherwise.
 */
export function strictlyBetween(name: string, value: number, low: number, high: number): number {
  if (!(value > low && value < high)) {
    throw new RangeError(`${name} must lie strictly between ${low} and ${high}, got ${value}`);
  }
  return value;
}

/**
 * Answers `value` if it lies between `low` and `high`, both included.
 *
 * @throws RangeError naming the parameter otherwise.
 */
export function between(name: string, value: number, low: number, high: number): number {
  if (!(value >= low && value <= high)) throw new RangeError(`${name} must lie in [${low}, ${high}], got ${value}`);
  return value;
}

/**
 * Answers `value` if it is positive and finite.
 *
 * @throws RangeError naming the parameter otherwise.
 */
export function positive(name: string, value: number): number {
  return strictlyBetween(name, value, 0, Number.POSITIVE_INFINITY);
}
