import type { LimitClass } from "@assay/contract";
import { RateLimiterMemory } from "rate-limiter-flexible";
import type { Caller } from "../identity/caller.ts";
import { ApiError } from "./errors.ts";

/** Requests per minute of each class; see `docs/limits.md`. */
export interface RateLimits {
  /** Sign-in routes, per client address and username. @default 5 */
  auth: number;
  /** Sign-in routes, per client address whatever the username. @default 60 */
  authPerAddress: number;
  /** Per API key or user. @default 100 */
  api: number;
  /** Routes for ADMIN or superuser, per user. @default 50 */
  admin: number;
}

export const DEFAULT_LIMITS: RateLimits = { auth: 5, authPerAddress: 60, api: 100, admin: 50 };

/** Takes one request from the caller's allowance and gives the headers that say what is left. */
export interface Limiter {
  take(limit: LimitClass, caller: Caller, username?: string): Promise<Record<string, string>>;
}

const WINDOW_SECONDS = 60;

export function createLimiter(limits: RateLimits | false): Limiter {
  if (limits === false) return { take: async () => ({}) };
  // Counting never blocks here: each caller's own allowance is compared with the count afterwards.
  const counter = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: WINDOW_SECONDS });

  async function consume(key: string, points: number): Promise<Record<string, string>> {
    const { consumedPoints, msBeforeNext } = await counter.consume(key);
    const reset = String(Math.ceil(msBeforeNext / 1000));
    const left = String(Math.max(0, points - consumedPoints));
    const headers = {
      "RateLimit-Limit": String(points),
      "RateLimit-Remaining": left,
      "RateLimit-Reset": reset,
      "X-RateLimit-Limit": String(points),
      "X-RateLimit-Remaining": left,
      "X-RateLimit-Reset": reset,
    };
    if (consumedPoints <= points) return headers;
    throw new ApiError(429, "Rate limit exceeded. Please retry after 60 seconds.", {
      ...headers,
      "Retry-After": reset,
    });
  }

  return {
    async take(limit, caller, username) {
      if (limit === "none") return {};
      if (caller.type === "ANONYMOUS") {
        const address = caller.actor.ip ?? "unknown";
        if (limit === "auth") await consume(`auth-address ${address}`, limits.authPerAddress);
        return consume(`${limit} ${address} ${username?.toLowerCase() ?? ""}`, limits[limit]);
      }
      if (caller.type === "USER") return consume(`${limit} user ${caller.userId}`, limits[limit]);
      return consume(`${limit} key ${caller.keyId}`, caller.ratePerMinute ?? limits[limit]);
    },
  };
}
