import type { Scalar } from "../format/definition-error.ts";

/** `Number` reads nothing but decimals in these characters. It would also read hexadecimals, `Infinity` and "". */
const DECIMAL = /^[-+.\de]+$/i;

/** Converts a finite number or a decimal string to a number; null for anything else. */
export function toNumber(value: unknown): number | null {
  if (typeof value === "string" && DECIMAL.test(value.trim())) return toNumber(Number(value));
  return Number.isFinite(value) ? (value as number) : null;
}

/**
 * Creates the test whether a value equals one of a list. Types must agree, except that a number equals a string that
 * spells it. Two strings compare as text, so the postcode "01234" is not "1234".
 */
export function createMembership(values: readonly Scalar[], caseless: boolean): (actual: unknown) => boolean {
  const plain = new Set<unknown>(values);
  const hasNumbers = values.some((value) => typeof value === "number");
  const spelt = new Set<unknown>(values.map(toNumber));
  const folded = new Set<unknown>(caseless ? values.map((value) => String(value).toLowerCase()) : []);
  return (actual) => {
    if (plain.has(actual)) return true;
    if (typeof actual === "number") return spelt.has(actual);
    if (typeof actual !== "string") return false;
    if (caseless && folded.has(actual.toLowerCase())) return true;
    return hasNumbers && plain.has(toNumber(actual));
  };
}

/** Returns whether two JSON values are equal, regardless of the order of their keys. */
export function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (!isObject(left) || !isObject(right)) return false;
  const keys = Object.keys(left);
  return (
    Array.isArray(left) === Array.isArray(right) &&
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && isSame(left[key], right[key]))
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return Object(value) === value;
}
