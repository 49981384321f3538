/**
 * Checks that a text contains another.
 * @throws Error if it does not
 */
export function expectIn(written: string, expected: string): void {
  if (!written.includes(expected)) throw new Error(`Expected ${JSON.stringify(expected)} in:\n${written}`);
}
