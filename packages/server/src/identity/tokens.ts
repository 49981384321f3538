import { errors, exportJWK, generateKeyPair, importJWK, type JWK, type JWTPayload, jwtVerify, SignJWT } from "jose";
import { unauthorized } from "../http/errors.ts";
import type { Runtime } from "../runtime.ts";
import { parseBytes, toBytes } from "../storage/json.ts";
import { keyOf } from "../storage/key.ts";
import type { Store } from "../storage/store.ts";

const ALGORITHM = "EdDSA";
const ISSUER = "assay";
const AUDIENCE = "assay";
const SIGNING_KEY = keyOf("identity", "signing-key");

/** Makes and checks access tokens with a key that lives in the store, so restarts and other nodes agree. */
export interface TokenSigner {
  /** Seconds. */
  readonly lifetime: number;
  sign(userId: string, sessionId: string): Promise<string>;
  /** @throws ApiError 401 */
  verify(token: string): Promise<{ userId: string; sessionId: string | null }>;
  /** The public half, as `/.well-known/jwks.json` serves it. */
  jwks(): { keys: JWK[] };
}

export async function createTokenSigner(store: Store, runtime: Runtime, lifetime: number): Promise<TokenSigner> {
  const jwk = await loadSigningKey(store, runtime);
  const privateKey = await importJWK(jwk, ALGORITHM);
  const { d: _, ...publicJwk } = jwk;
  const publicKey = await importJWK(publicJwk, ALGORITHM);
  const kid = jwk.kid!;

  return {
    lifetime,
    sign(userId, sessionId) {
      const now = Math.floor(runtime.now() / 1000);
      return new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: ALGORITHM, kid, typ: "JWT" })
        .setSubject(userId)
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setIssuedAt(now)
        .setExpirationTime(now + lifetime)
        .setJti(runtime.id())
        .sign(privateKey);
    },
    async verify(token) {
      let payload: JWTPayload;
      try {
        ({ payload } = await jwtVerify(token, publicKey, {
          algorithms: [ALGORITHM],
          issuer: ISSUER,
          audience: AUDIENCE,
          requiredClaims: ["exp", "sub"],
          currentDate: new Date(runtime.now()),
        }));
      } catch (error) {
        throw unauthorized(error instanceof errors.JWTExpired ? "Token has expired" : "Could not validate credentials");
      }
      return { userId: payload.sub!, sessionId: typeof payload.sid === "string" ? payload.sid : null };
    },
    jwks: () => ({ keys: [{ ...publicJwk, alg: ALGORITHM, use: "sig" }] }),
  };
}

/** The stored key; the first node to start makes it, and where two start at once both take the one that was first. */
async function loadSigningKey(store: Store, runtime: Runtime): Promise<JWK> {
  const existing = await store.get(SIGNING_KEY);
  if (existing) return parseBytes<JWK>(existing.value);
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const jwk: JWK = { ...(await exportJWK(privateKey)), kid: runtime.id() };
  await store.batch([{ type: "put", key: SIGNING_KEY, value: toBytes(jwk), ifAbsent: "skip" }]);
  const stored = await store.get(SIGNING_KEY);
  return stored ? parseBytes<JWK>(stored.value) : jwk;
}
