import type { JsonValue } from "../format/definition.ts";

/** The header a token comes in; one that is not good is refused, for whoever sends it wants to know. */
export const OVERRIDE_HEADER = "x-assay-override";
/** The cookie a token comes in; one that is not good is ignored, for browsers keep cookies longer than they are good. */
export const OVERRIDE_COOKIE = "assay_override";

/** What a request is answered with, whatever the definitions say; keys of nothing that exists are passed over. */
export interface Overrides {
  /** Values by flag; one of another type than the flag's is passed over. */
  flags?: Record<string, JsonValue>;
  /** Keys of variants by flag; they go before values. */
  variants?: Record<string, string>;
  /** Keys of arms by experiment; an experiment over a flag and its flag go together. */
  experiments?: Record<string, string>;
}

export interface SignOptions {
  /** What the server or handler was given as `overrides.secret`: 16 characters or more. */
  secret: string;
  /**
   * Seconds until the token is no longer good.
   * @default 3600
   */
  expiresInSeconds?: number;
  /** Milliseconds since the epoch. @default Date.now */
  now?: () => number;
}

/** Options of whoever honours overrides. */
export interface OverrideOptions {
  /** 16 characters or more; who knows it decides what every request that carries its tokens is answered. */
  secret: string;
}

/** Why a token is not good. */
export class OverrideError extends Error {
  override readonly name = "OverrideError";
}

const SHORTEST_SECRET = 16;
/** What servers take in a header without further ado. */
const LONGEST_TOKEN = 4_096;

/**
 * Makes the token that forces variants, values and arms for the requests that carry it: `payload.signature`, base64url,
 * with HMAC-SHA256 of the payload.
 * @example
 * const token = await signOverrides({ flags: { "new-checkout": true } }, { secret });
 * await fetch(url, { headers: { "X-Assay-Override": token } });
 * @throws OverrideError where the secret is too short or the token would be too long for a header.
 */
export async function signOverrides(overrides: Overrides, options: SignOptions): Promise<string> {
  const { secret, expiresInSeconds = 3_600, now = Date.now } = options;
  const expires = Math.floor(now() / 1_000) + expiresInSeconds;
  const payload = encode(new TextEncoder().encode(JSON.stringify({ ...overrides, expires })));
  const signature = await crypto.subtle.sign("HMAC", await importKey(secret), new TextEncoder().encode(payload));
  const token = `${payload}.${encode(new Uint8Array(signature))}`;
  if (token.length > LONGEST_TOKEN) throw new OverrideError(`The token has more than ${LONGEST_TOKEN} characters`);
  return token;
}

/** Reads the overrides that requests carry. */
export interface OverrideReader {
  /**
   * Null where a request carries none, or only a cookie that is not good.
   * @throws OverrideError where the header is not good
   */
  read(request: { headers: Headers }): Promise<Overrides | null>;
}

/** Creates a reader; undefined options make one that sees nothing. @throws OverrideError where the secret is too short */
export function createOverrideReader(options: OverrideOptions | undefined, now = Date.now): OverrideReader {
  if (options === undefined) return { read: async () => null };
  checkSecret(options.secret);
  let key: Promise<CryptoKey> | undefined;

  async function verify(token: string): Promise<Overrides> {
    const [payload = "", signature = "", rest] = token.slice(0, LONGEST_TOKEN + 1).split(".");
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
  if (typeof secret === "string" && secret.length >= SHORTEST_SECRET) return;
  throw new OverrideError(`The secret of overrides must have ${SHORTEST_SECRET} characters or more`);
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

/** Undefined for what is no base64url. */
function decode(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
  } catch {
    return undefined;
  }
}
