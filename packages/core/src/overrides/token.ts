import type { JsonValue } from "../format/definition.ts";

/** The header for a token. Invalid tokens in it are rejected, because their sender expects an effect. */
export const OVERRIDE_HEADER = "x-assay-override";
/** The cookie for a token. Invalid tokens in it are ignored, because browsers keep cookies after the token expires. */
export const OVERRIDE_COOKIE = "assay_override";

/** The results that a request forces, regardless of the definitions. Unknown keys are ignored. */
export interface Overrides {
  /** Values by flag; a value of another type than the flag's is ignored. */
  flags?: Record<string, JsonValue>;
  /** Keys of variants by flag; they override values. */
  variants?: Record<string, string>;
  /** Keys of arms by experiment; an experiment over a flag and its flag are forced together. */
  experiments?: Record<string, string>;
}

export interface SignOptions {
  /** The `overrides.secret` of the server or handler: at least 16 characters. */
  secret: string;
  /**
   * Seconds until the token expires.
   * @default 3600
   */
  expiresInSeconds?: number;
  /** Milliseconds since the epoch. @default Date.now */
  now?: () => number;
}

/** The options of a server or handler that accepts overrides. */
export interface OverrideOptions {
  /** At least 16 characters. Anyone with the secret can force the answers of requests that carry their tokens. */
  secret: string;
}

/** The error of an invalid token. */
export class OverrideError extends Error {
  override readonly name = "OverrideError";
}

const MIN_SECRET_LENGTH = 16;
/** The maximum length of a token, because servers accept headers of this size by default. */
const MAX_TOKEN_LENGTH = 4_096;

/**
 * Signs a token that forces variants, values and arms for the requests that carry it: `payload.signature`, base64url,
 * with HMAC-SHA256 of the payload.
 * @example
 * const token = await signOverrides({ flags: { "new-checkout": true } }, { secret });
 * await fetch(url, { headers: { "X-Assay-Override": token } });
 * @throws OverrideError if the secret is too short or the token would be too long for a header
 */
export async function signOverrides(overrides: Overrides, options: SignOptions): Promise<string> {
  const { secret, expiresInSeconds = 3_600, now = Date.now } = options;
  const expires = Math.floor(now() / 1_000) + expiresInSeconds;
  const payload = encode(new TextEncoder().encode(JSON.stringify({ ...overrides, expires })));
  const signature = await crypto.subtle.sign("HMAC", await importKey(secret), new TextEncoder().encode(payload));
  const token = `${payload}.${encode(new Uint8Array(signature))}`;
  if (token.length > MAX_TOKEN_LENGTH)
    throw new OverrideError(`The token has more than ${MAX_TOKEN_LENGTH} characters`);
  return token;
}

/** Reads the overrides that requests carry. */
export interface OverrideReader {
  /**
   * Reads the overrides of a request; null without a token, or with only an invalid cookie.
   * @throws OverrideError if the header is invalid
   */
  read(request: { headers: Headers }): Promise<Overrides | null>;
}

/** Creates a reader; without options it reads no tokens. @throws OverrideError if the secret is too short */
export function createOverrideReader(options: OverrideOptions | undefined, now = Date.now): OverrideReader {
  if (options === undefined) return { read: async () => null };
  checkSecret(options.secret);
  let key: Promise<CryptoKey> | undefined;

  async function verify(token: string): Promise<Overrides> {
    const [payload = "", signature = "", rest] = token.slice(0, MAX_TOKEN_LENGTH + 1).split(".");
    key ??= importKey(options!.secret);
    // Compares in constant time.
    const given = decode(signature);
    const signed = new TextEncoder().encode(payload);
    if (rest !== undefined || !given || !(await crypto.subtle.verify("HMAC", await key, given, signed))) {
      throw new OverrideError("The override token is not signed with our secret");
    }
    const { expires, ...overrides } = JSON.parse(new TextDecoder().decode(decode(payload))) as Overrides & {
      expires: number;
    };
    if (!(now() < expires * 1_000)) throw new OverrideError("The override token has expired");
    return overrides;
  }

  return {
    async read({ headers }) {
      const header = headers.get(OVERRIDE_HEADER);
      if (header !== null) return verify(header.trim());
      const cookie = readCookie(headers.get("cookie"));
      return cookie === undefined ? null : verify(cookie).catch(() => null);
    },
  };
}

async function importKey(secret: string): Promise<CryptoKey> {
  checkSecret(secret);
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  return crypto.subtle.importKey("raw", new TextEncoder().encode(secret), algorithm, false, ["sign", "verify"]);
}

function checkSecret(secret: unknown): void {
  if (typeof secret === "string" && secret.length >= MIN_SECRET_LENGTH) return;
  throw new OverrideError(`The secret of overrides must have ${MIN_SECRET_LENGTH} characters or more`);
}

function readCookie(header: string | null): string | undefined {
  for (const pair of header?.split(";") ?? []) {
    const at = pair.indexOf("=");
    if (at > 0 && pair.slice(0, at).trim() === OVERRIDE_COOKIE) return pair.slice(at + 1).trim();
  }
  return undefined;
}

function encode(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Decodes base64url; undefined if the text is not base64url. */
function decode(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
  } catch {
    return undefined;
  }
}
