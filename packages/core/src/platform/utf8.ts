/**
 * Returns the UTF-8 bytes of a string, as the character codes of another. Lone surrogates count as U+FFFD, as in every
 * UTF-8 encoder. `TextEncoder` does the same, but jsdom, and so Jest, lacks it; `unescape` exists in every engine, in a
 * few bytes.
 */
export function toUtf8(text: string): string {
  return unescape(encodeURIComponent(text.replace(/\p{Cs}/gu, "\ufffd")));
}
