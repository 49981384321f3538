import type { LimitClass } from "@assay/contract";
import { RateLimiterMemory, type RateLimiterRes } from "rate-limiter-flexible";
import type { Awaitable } from "../ground/awaitable.ts";
import { ApiError } from "../ground/errors.ts";
import type { Runtime } from "../ground/runtime.ts";
import { networkOf } from "../identity/network.ts";
import type { Caller } from "../model/caller.ts";
import type { Actor } from "../storage/change.ts";
import { createNameSpace } from "./name-space.ts";
import { createSharedCounter, type RateLimitStore } from "./shared-counter.ts";

/** Requests per minute of each class, `false` for no limit; see `docs/limits.md`. */
export interface RateLimits {
  /** Sign-in routes, per client address and username. @default 5 */
  auth: number | false;
  /** Sign-in routes for any username or none, and wrong credentials on any route, per client address. @default 60 */
  authPerAddress: number | false;
  /** Per API key or user; for CLIENT keys per key and client address. @default 100 */
  api: number | false;
  /** Routes for ADMIN, per user. @default 50 */
  admin: number | false;
  /** Reads of signed-in users on routes of the class `api`, per user: a page of the console sends some 30. @default 1000 */
  reads: number | false;
}

export const DEFAULT_LIMITS: RateLimits = { auth: 5, authPerAddress: 60, api: 100, admin: 50, reads: 1000 };

/** What the count of a request depends on besides its class and caller. */
export interface Counted {
  /** The username of a sign-in attempt. */
  username?: string | undefined;
  /** Whether the request changes nothing. */
  isRead?: boolean | undefined;
}

/** Counts requests against rate limits and returns the rate limit headers. */
export interface Limiter {
  /** @throws ApiError 429 */
  take(limit: LimitClass, caller: Caller, counted?: Counted): Awaitable<Record<string, string>>;
  /** Counts wrong credentials against the client address. @throws ApiError 429 */
  refuse(actor: Actor): Promise<Record<string, string>>;
}

const WINDOW_SECONDS = 60;

/** Counts the requests of each name in a window. Never blocks. */
export interface Counter {
  consume(name: string): Promise<Pick<RateLimiterRes, "consumedPoints" | "msBeforeNext">>;
}

/** What the servers that count together have in common. */
export interface LimiterDeps {
  runtime: Runtime;
  /** Where servers count together. Undefined: each counts alone. */
  store: RateLimitStore | undefined;
  namespace: string;
}

/** @throws TypeError if a limit is not a positive number, or the store is invalid */
export function createLimiter(limits: RateLimits | false, { runtime, store, namespace }: LimiterDeps): Limiter {
  if (limits === false) return { take: () => ({}), refuse: async () => ({}) };
  for (const [name, limit] of Object.entries(limits)) {
    if (limit !== false && !(Number.isFinite(limit) && limit >= 1)) {
      throw new TypeError(`rateLimit.${name} must be at least 1, or false`);
    }
  }
  // Each count is compared with the limit of the caller afterwards.
  const alone: Counter = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: WINDOW_SECONDS });
  const counter = store ? createSharedCounter(store, { runtime, namespace, seconds: WINDOW_SECONDS }, alone) : alone;
  const names = createNameSpace(WINDOW_SECONDS * 1000);

  async function consume(name: string, points: number | false): Promise<Record<string, string>> {
    if (points === false) return {};
    const { consumedPoints, msBeforeNext } = await counter.consume(names.admit(name));
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
    async take(limit, caller, { username, isRead } = {}) {
      if (limit === "none") return {};
      if (caller.type === "ANONYMOUS") {
        const network = networkOf(caller.actor.ip);
        if (limit === "auth") {
          const headers = await consume(`auth-address ${network}`, limits.authPerAddress);
          // A renewal names no user: the users behind one address must not share the limit of one of them.
          if (username === undefined) return headers;
        }
        return consume(`${limit} ${network} ${username?.toLowerCase() ?? ""}`, limits[limit]);
      }
      if (caller.type === "USER") {
        const name = limit === "api" && isRead ? "reads" : limit;
        return consume(`${name} user ${caller.userId}`, limits[name]);
      }
      if (caller.kind === "SERVER") {
        return consume(`${limit} key ${caller.keyId}`, caller.ratePerMinute ?? limits[limit]);
      }
      // CLIENT keys are public: the class limit applies per visitor, the limit of the key to all visitors together.
      if (caller.ratePerMinute !== null) await consume(`${limit} key ${caller.keyId}`, caller.ratePerMinute);
      return consume(`${limit} client ${caller.keyId} ${networkOf(caller.actor.ip)}`, limits[limit]);
    },
    refuse: (actor) => consume(`refused ${networkOf(actor.ip)}`, limits.authPerAddress),
  };
}
