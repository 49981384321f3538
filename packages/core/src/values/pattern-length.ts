/** The longest text that patterns are tried on, in UTF-16 code units, as `length` counts them. */
export const MAX_MATCHED = 4_096;

/** Whether a text is too long for MATCHES, which then does not hold. */
export function isTooLong(text: string): boolean {
  return text.length > MAX_MATCHED;
}
