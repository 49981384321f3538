/** Writes a figure with three significant digits, and at least those before the point. */
export function written(value: number): string {
  const digits = Math.max(3, Math.floor(Math.log10(Math.abs(value))) + 1);
  return Number(value.toPrecision(Number.isFinite(digits) ? digits : 3)).toLocaleString("en-GB", {
    maximumSignificantDigits: 21,
  });
}
