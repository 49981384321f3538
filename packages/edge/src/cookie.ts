const YEAR_SECONDS = 31_536_000;

/** Whether something can be the name of a header or a cookie (RFC 9110, token). */
export function isToken(name: unknown): boolean {
  return typeof name === "string" && /^[\w!#$%&'*+.^`|~-]+$/.test(name);
}

/** Every value that a request sends for a cookie, in its order and as it stands in the header. */
export function readCookies(request: Request, name: string): string[] {
  const pairs = request.headers.get("cookie")?.split(";") ?? [];
  return pairs.flatMap((pair) => {
    const [own = "", ...value] = pair.split("=");
    return own.trim() === name ? value.join("=").trim() : [];
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
