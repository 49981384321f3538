const YEAR_SECONDS = 31_536_000;

/** Returns whether a value is a valid name of a header or a cookie (RFC 9110, token). */
export function isToken(name: unknown): boolean {
  return typeof name === "string" && /^[\w!#$%&'*+.^`|~-]+$/.test(name);
}

/**
 * Returns all values of a cookie in a request, in order and undecoded. Not cookie-es: it returns one value for each
 * name, and its 1 kB does not fit the size limits of workers.
 */
export function readCookies(request: Request, name: string): string[] {
  const pairs = request.headers.get("cookie")?.split(";") ?? [];
  return pairs.flatMap((pair) => {
    const [own = "", ...value] = pair.split("=");
    return own.trim() === name ? value.join("=").trim() : [];
  });
}

/** Decodes percent-encoding if possible; otherwise returns the text unchanged. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Returns a `Set-Cookie` header with a lifetime of a year. The name and the value must not contain cookie separators.
 */
export function toSetCookie(name: string, value: string): string {
  return `${name}=${value}; Path=/; Max-Age=${YEAR_SECONDS}; Secure; HttpOnly; SameSite=Lax`;
}
