import type { Store } from "@assay/store";
import { errors, type JWK, type JWTPayload, jwtVerify, SignJWT } from "jose";
import { unauthorized } from "../ground/errors.ts";
import type { Runtime } from "../ground/runtime.ts";
import { ALGORITHM, createSigningKeys } from "./signing-keys.ts";

const ISSUER = "assay";
const AUDIENCE = "assay";
/** The default number of days a key signs. */
const DEFAULT_ROTATION_DAYS = 30;
const DAY_MS = 24 * 3600 * 1000;

/** Issues and verifies access tokens. The keys are in the store, shared by restarts and nodes. */
export interface TokenSigner {
  /** Seconds. */
  readonly lifetime: number;
  sign(userId: string, sessionId: string): Promise<string>;
  /** @throws ApiError 401 */
  verify(token: string): Promise<{ userId: string; sessionId: string | null }>;
  /** The valid public keys, as `/.well-known/jwks.json` serves them. */
  jwks(): { keys: JWK[] };
}

/** @param lifetime seconds */
export async function createTokenSigner(
  store: Store,
  runtime: Runtime,
  lifetime: number,
  rotationDays: number = DEFAULT_ROTATION_DAYS,
): Promise<TokenSigner> {
  const keys = await createSigningKeys(store, runtime, lifetime, rotationDays * DAY_MS);

  return {
    lifetime,
    async sign(userId, sessionId) {
      const now = Math.floor(runtime.now() / 1000);
      const { kid, privateKey } = await keys.current();
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
        ({ payload } = await jwtVerify(token, async ({ kid }) => requireKey(kid && (await keys.find(kid))), {
          algorithms: [ALGORITHM],
          issuer: ISSUER,
          audience: AUDIENCE,
          requiredClaims: ["exp", "sub"],
          currentDate: new Date(runtime.now()),
        }));
      } catch (error) {
        if (!(error instanceof errors.JOSEError)) throw error;
        throw unauthorized(error instanceof errors.JWTExpired ? "Token has expired" : "Could not validate credentials");
      }
      return { userId: payload.sub!, sessionId: typeof payload.sid === "string" ? payload.sid : null };
    },
    jwks: () => keys.jwks(),
  };
}

function requireKey<T>(key: T | "" | undefined): T {
  if (!key) throw new errors.JWKSNoMatchingKey();
  return key;
}
