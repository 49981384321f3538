import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from "jose";
import type { Runtime } from "../../../ground/runtime.ts";

/** Fetches keys older than this again, so that withdrawn keys expire. */
const MAX_AGE_MS = 10 * 60_000;
/** Minimum interval between fetches for unknown key ids, because anyone can send these. */
const COOLDOWN_MS = 10_000;

/**
 * Creates the key set of a provider. Fetches the public keys on demand, and again when a token names an unknown key.
 */
export function createKeySet(load: () => Promise<JSONWebKeySet>, runtime: Runtime): JWTVerifyGetKey {
  let keys: JWTVerifyGetKey | undefined;
  let loadedAt = Number.NEGATIVE_INFINITY;
  let loading: Promise<void> | null = null;

  function refresh(): Promise<void> {
    loading ??= load()
      .then((set) => {
        keys = createLocalJWKSet(set);
        loadedAt = runtime.now();
      })
      .finally(() => {
        loading = null;
      });
    return loading;
  }

  return async (header, token) => {
    if (!keys || runtime.now() - loadedAt >= MAX_AGE_MS) await refresh();
    try {
      return await keys!(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || runtime.now() - loadedAt < COOLDOWN_MS) throw error;
      await refresh();
      return keys!(header, token);
    }
  };
}
