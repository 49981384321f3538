import { keyOf, type Store } from "@assay/store";
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from "jose";
import type { Runtime } from "../ground/runtime.ts";
import { parseBytes, toBytes } from "../storage/json.ts";

/** The algorithm of Assay's own tokens. Verification only compares the `alg` header of a token with it. */
export const ALGORITHM = "EdDSA";

/** Signing keys in the store, shared by restarts and nodes: one signs, its predecessors still verify. */
export interface SigningKeys {
  /** The current signing key. Creates a new one when it is old enough. */
  current(): Promise<{ kid: string; privateKey: CryptoKey }>;
  /** The public key with this id. Undefined if it is unknown, or retired for longer than its tokens live. */
  find(kid: string): Promise<CryptoKey | undefined>;
  /** The valid public keys, newest first. */
  jwks(): { keys: JWK[] };
}

/** A key as stored. Private keys never leave this file. */
interface StoredKey {
  kid: string;
  jwk: JWK;
  created_at: number;
  /** When another key took over. Null for the newest. */
  retired_at: number | null;
  /** Maximum lifetime of the tokens it signed, in seconds. */
  lifetime: number;
}

interface Ring {
  version: number;
  keys: StoredKey[];
}

const RING = keyOf("identity", "signing-keys");
/** Minimum milliseconds between reloads caused by tokens with an unknown key. */
const RELOAD_MS = 1000;

/**
 * Loads the keys. The first node creates one; if two nodes start at once, both use the key that was stored first.
 * @param lifetime token lifetime in seconds
 * @param rotateMs age at which the next key takes over
 */
export async function createSigningKeys(
  store: Store,
  runtime: Runtime,
  lifetime: number,
  rotateMs: number,
): Promise<SigningKeys> {
  let ring = await read();
  let readAt = runtime.now();
  let changing: Promise<void> | null = null;
  const imported = new Map<string, Promise<{ privateKey: CryptoKey; publicKey: CryptoKey }>>();

  async function read(): Promise<Ring> {
    const entry = await store.get(RING);
    return entry ? { version: entry.version, keys: parseBytes<StoredKey[]>(entry.value) } : { version: 0, keys: [] };
  }

  const isAlive = (key: StoredKey) =>
    key.retired_at === null || runtime.now() < key.retired_at + (key.lifetime + 1) * 1000;
  const newest = () => ring.keys.find((key) => key.retired_at === null);
  const isOverdue = (key: StoredKey | undefined) => !key || runtime.now() - key.created_at >= rotateMs;

  /** Adds a new key and drops keys without live tokens. Another node may be faster. */
  async function rotate(): Promise<void> {
    const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
    const now = runtime.now();
    const kid = runtime.id();
    const key: StoredKey = { kid, jwk: await exportJWK(privateKey), created_at: now, retired_at: null, lifetime };
    const older = ring.keys.filter(isAlive).map((one) => ({ ...one, retired_at: one.retired_at ?? now }));
    await write([key, ...older]);
  }

  async function write(keys: StoredKey[]): Promise<void> {
    await store.batch([{ type: "put", key: RING, value: toBytes(keys), ifVersion: ring.version }]);
    ring = await read();
    readAt = runtime.now();
  }

  function once(change: () => Promise<void>): Promise<void> {
    changing ??= change().finally(() => {
      changing = null;
    });
    return changing;
  }

  async function reload(): Promise<void> {
    ring = await read();
    readAt = runtime.now();
  }

  async function pairOf({ kid, jwk }: StoredKey) {
    const { d: _, ...publicJwk } = jwk;
    if (!imported.has(kid)) {
      imported.set(
        kid,
        Promise.all([importJWK(jwk, ALGORITHM), importJWK(publicJwk, ALGORITHM)]).then(([privateKey, publicKey]) => ({
          privateKey: privateKey as CryptoKey,
          publicKey: publicKey as CryptoKey,
        })),
      );
    }
    return imported.get(kid)!;
  }

  if (isOverdue(newest())) await rotate();
  const first = newest();
  // A longer lifetime keeps the key valid for longer after it is retired.
  if (first && first.lifetime < lifetime) {
    await write(ring.keys.map((key) => (key.kid === first.kid ? { ...key, lifetime } : key)));
  }

  return {
    async current() {
      if (isOverdue(newest())) await once(rotate);
      const key = newest()!;
      return { kid: key.kid, privateKey: (await pairOf(key)).privateKey };
    },
    async find(kid) {
      const look = () => ring.keys.find((key) => key.kid === kid);
      if (!look() && Math.abs(runtime.now() - readAt) >= RELOAD_MS) await once(reload);
      const key = look();
      return key && isAlive(key) ? (await pairOf(key)).publicKey : undefined;
    },
    jwks: () => ({
      keys: ring.keys.filter(isAlive).map(({ kid, jwk: { d: _, ...publicJwk } }) => ({
        ...publicJwk,
        kid,
        alg: ALGORITHM,
        use: "sig",
      })),
    }),
  };
}
