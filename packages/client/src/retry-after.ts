/**
 * Seconds that an answer asks to wait, from now: `Retry-After` is seconds or a date. Undefined where it is absent, has
 * passed or is neither.
 */
export function readRetryAfter(headers: Headers): number | undefined {
  const value = String(headers.get("retry-after"));
  if (!/^\d+$|:/.test(value)) return undefined;
  // One of the three forms of HTTP dates does not say that it is GMT; the others may say it twice.
  const seconds = +value || Math.ceil((Date.parse(`${value} GMT`) - Date.now()) / 1_000);
  return Math.max(0, seconds) || undefined;
}
