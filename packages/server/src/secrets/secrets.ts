import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/** Encrypts third-party credentials in the store: AES-256-GCM with the newest key of a ring. */
export interface Secrets {
  /** @param context what the text belongs to, for example an id; it cannot be decrypted in another context */
  seal(text: string, context: string): string;
  /** @throws SecretUnreadable if its key is not in the ring, or the text was changed or moved */
  open(sealed: string, context: string): string;
  /** Whether the newest key encrypted it. */
  isCurrent(sealed: string): boolean;
}

/** An encrypted text that no key of the ring decrypts. */
export class SecretUnreadable extends Error {
  override readonly name = "SecretUnreadable";
}

const VERSION = "s1";

// Not JWE of jose: it is asynchronous, but documents change synchronously; and compact JWE binds no context.
/**
 * @param ring secrets of at least 32 characters, newest first; older ones only decrypt
 * @throws TypeError if there is none, or one is too short
 */
export function createSecrets(ring: readonly string[]): Secrets {
  requireKeys(ring);
  const keys = new Map(
    ring.map((secret) => [derive(secret, "id", 6).toString("base64url"), derive(secret, "key", 32)]),
  );
  const newest = keys.keys().next().value!;

  return {
    seal(text, context) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", keys.get(newest)!, nonce).setAAD(Buffer.from(context));
      const sealed = Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return `${VERSION}.${newest}.${sealed.toString("base64url")}`;
    },
    open(sealed, context) {
      const [version, id, body] = sealed.split(".");
      const key = version === VERSION ? keys.get(id ?? "") : undefined;
      if (!key)
        throw new SecretUnreadable("The key that sealed this secret is missing from secretKeys (ASSAY_SECRETS_KEYS)");
      const bytes = Buffer.from(body ?? "", "base64url");
      try {
        const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12));
        decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-16));
        return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString("utf8");
      } catch {
        throw new SecretUnreadable("This secret was changed, or belongs to something else");
      }
    },
    isCurrent: (sealed) => sealed.startsWith(`${VERSION}.${newest}.`),
  };
}

/** @throws TypeError if there is none, or one is too short */
export function requireKeys(ring: readonly string[]): void {
  if (ring.length === 0 || ring.some((secret) => secret.length < 32)) {
    throw new TypeError("secretKeys: every key for secrets needs at least 32 characters");
  }
}

function derive(secret: string, purpose: string, length: number): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "assay secrets", purpose, length));
}
