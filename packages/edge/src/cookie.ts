const YEAR_SECONDS = 31_536_000;

/** What a name has to be to stand in a header (RFC 9110, token). */
export const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

/** Every value that a request sends for a cookie, in its order and as it stands in the header. */
export function readCookies(request: Request, name: string): string[] {
  return (request.headers.get("cookie") ?? "").split(";").flatMap((pair) => {
    const at = pair.indexOf("=");
    return at > 0 && pair.slice(0, at).trim() === name ? [pair.slice(at + 1).trim()] : [];
  });
}

/** A text that may have been percent-encoded; what never was, and cannot be decoded, stays as it is. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A `Set-Cookie` that stays for a year; name and value have to be free of what separates cookies. */
export function toSetCookie(name: string, value: string): string {
  return `${name}=${value}; Path=/; Max-Age=${YEAR_SECONDS}; Secure; HttpOnly; SameSite=Lax`;
}

/**
 * A text as it stands in a cookie. Keys of experiments and variants are slugs and stand as they are; what a definition
 * from elsewhere may hold is percent-encoded.
 * @throws URIError for half of a surrogate pair.
 */
export function toCookieText(text: string): string {
  return TOKEN.test(text) ? text : encodeURIComponent(text).replace(/[()]/g, (sign) => (sign === "(" ? "%28" : "%29"));
}
