/** An HTTP date in one of its three forms; the last one does not say that it is GMT. */
const HTTP_DATE = /^[A-Z][a-z]+,? .*\d\d:\d\d:\d\d( \d{4}| GMT)$/;

/**
 * Seconds that an answer asks to wait, from now: `Retry-After` is seconds or a date. Undefined where it is absent, has
 * passed or is neither.
 */
export function readRetryAfter(headers: Headers): number | undefined {
  const asked = headers.get("retry-after") ?? "";
  const time = HTTP_DATE.test(asked) ? Date.parse(asked.replace(/( \d{4})$/, "$1 GMT")) : Number.NaN;
  const seconds = /^\d+$/.test(asked) ? Number(asked) : Math.ceil((time - Date.now()) / 1_000);
  return seconds > 0 ? seconds : undefined;
}
