import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from "jose";
import type { Runtime } from "../../../runtime.ts";

/** Keys older than this are fetched again, so that one the provider has withdrawn stops counting. */
const MAX_AGE_MS = 10 * 60_000;
/** An unknown key id makes us look again, no more often than this: anyone can send unknown ones. */
const COOLDOWN_MS = 10_000;

/** A provider's public keys, fetched when needed and again when a token names one that is new. */
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
