/** The middle of figures, and the quartiles around it, which half of the figures lie between. */
export interface Spread {
  median: number;
  low: number;
  high: number;
}

/** Returns the quantile of figures by linear interpolation (type 7 of Hyndman and Fan). @throws RangeError without figures */
export function quantileOf(figures: readonly number[], share: number): number {
  if (figures.length === 0) throw new RangeError("There are no figures");
  const sorted = figures.toSorted((a, b) => a - b);
  const place = share * (sorted.length - 1);
  const below = sorted[Math.floor(place)]!;
  const above = sorted[Math.ceil(place)]!;
  return below + (above - below) * (place - Math.floor(place));
}

/** Returns the median of figures; of an even number, the mean of the two in the middle. @throws RangeError without figures */
export function medianOf(figures: readonly number[]): number {
  return quantileOf(figures, 0.5);
}

/** Returns the median and the quartiles of figures. @throws RangeError without figures */
export function spreadOf(figures: readonly number[]): Spread {
  return { median: medianOf(figures), low: quantileOf(figures, 0.25), high: quantileOf(figures, 0.75) };
}

/** Divides figures of the same rounds. @throws RangeError if the numbers of rounds differ */
export function ratiosOf(figures: readonly number[], to: readonly number[]): number[] {
  if (figures.length !== to.length) throw new RangeError("The figures are of different numbers of rounds");
  return figures.map((figure, round) => figure / to[round]!);
}
