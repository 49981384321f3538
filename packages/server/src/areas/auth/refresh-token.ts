import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { SessionRecord } from "../../model/session.ts";

/** Lifetime of a refresh token. Each refresh begins it anew. */
export const REFRESH_LIFETIME_MS = 30 * 24 * 3600 * 1000;

/** The state of the newest refresh token, stored in the session. */
export type RefreshState = Pick<SessionRecord, "generation" | "secret_hash" | "seal_key">;

/** A new refresh secret and its session state. */
export interface NewRefreshToken {
  state: RefreshState;
  /** The token itself, once the session has an id. */
  tokenOf(sessionId: string): string;
}

/** Creates the first refresh token of a session, or the successor of `before`. */
export function nextRefreshToken(before?: RefreshState): NewRefreshToken {
  const generation = (before?.generation ?? 0) + 1;
  const seal_key = before?.seal_key ?? randomBytes(32).toString("base64url");
  const secret = randomBytes(32).toString("base64url");
  return {
    state: { generation, secret_hash: hashOf(secret), seal_key },
    tokenOf(sessionId) {
      const unsealed = `${sessionId}.${generation}.${secret}`;
      return `${unsealed}.${sealOf(unsealed, seal_key)}`;
    },
  };
}

/** Returns the session id in a refresh token, unverified. */
export function sessionIdIn(token: string): string {
  return token.split(".", 1)[0]!;
}

/** Whether a token is the newest of a session, a spent one, or invalid. */
export function judge(token: string, session: RefreshState): "CURRENT" | "SPENT" | "FOREIGN" {
  const parts = token.split(".");
  const [seal, secret, generation] = [parts[3] ?? "", parts[2] ?? "", Number(parts[1])];
  if (parts.length !== 4 || !isEqual(seal, sealOf(parts.slice(0, 3).join("."), session.seal_key))) return "FOREIGN";
  return generation === session.generation && isEqual(hashOf(secret), session.secret_hash) ? "CURRENT" : "SPENT";
}

function sealOf(unsealed: string, key: string): string {
  return createHmac("sha256", Buffer.from(key, "base64url")).update(unsealed).digest("base64url");
}

function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}

function isEqual(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
