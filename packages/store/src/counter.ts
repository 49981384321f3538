/**
 * Returns the number in the entry of a counter, from its decimal text.
 * @throws {TypeError} if the entry is something else
 */
export function parseCounter(key: string, value: Uint8Array | undefined): number {
  if (value === undefined) return 0;
  const text = new TextDecoder().decode(value);
  if (!/^-?\d{1,16}$/.test(text)) throw new TypeError(`The entry ${key} is not a counter`);
  return Number(text);
}

/**
 * Returns the entry of a counter after an addition.
 * @throws {TypeError} if the result is not a safe integer
 */
export function toCounter(key: string, count: number): Uint8Array {
  if (!Number.isSafeInteger(count)) throw new TypeError(`The counter ${key} would exceed the safe integers`);
  return new TextEncoder().encode(String(count));
}
