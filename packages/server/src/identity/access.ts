import type { LimitClass } from "@assay/contract";
import { type ApiError, isApiError } from "../ground/errors.ts";
import { every } from "../ground/every.ts";
import type { Runtime } from "../ground/runtime.ts";
import type { Caller } from "../model/caller.ts";
import type { Actor } from "../storage/change.ts";
import { networkOf } from "./network.ts";
import type { Incident, Trail } from "./trail.ts";

/**
 * Audits the use of credentials: the first use and every failure at once, later uses as one entry with a count per
 * credential, route class and minute, and denied requests. Runs off the request path in bounded memory.
 */
export interface AccessTrail {
  used(caller: Caller, limit: LimitClass): void;
  /** A request with refused credentials. Requests without credentials are not recorded. */
  refused(error: ApiError, request: Request, actor: Actor): void;
  /** A refused key. `keyId` is null if the key is unknown. `refused` does not record the same error again. */
  keyRefused(keyId: string | null, actor: Actor): void;
  /**
   * An error response to a known caller. Records a 403: the first per caller, operation and minute at once, later ones
   * as a count.
   */
  denied(caller: Caller, operationId: string, error: unknown): void;
  /** A webhook of an integration without its shared secret. */
  webhookRefused(integrationId: string, actor: Actor): void;
  /** Writes the current counts. */
  flush(): void;
  close(): void;
}

interface Tally {
  actor: Actor;
  action: string;
  resource_type: string;
  resource_id: string | null;
  limit: LimitClass | null;
  /** Incidents with their own entry, and those still to be written as a count. */
  singles: number;
  count: number;
  since: number;
}

const MINUTE_MS = 60_000;
/** Maximum number of credentials and classes counted at once. Beyond it, the trail writes counts early. */
const CAPACITY = 10_000;
/** Failures per address and minute that get their own entry. The trail counts later ones. */
const SINGLE_FAILURES = 60;
/** Sessions whose first use is remembered. */
const KNOWN_SESSIONS = 50_000;

export function createAccessTrail(trail: Trail, runtime: Runtime): AccessTrail {
  const tallies = new Map<string, Tally>();
  const seenSessions = new Set<string>();
  const stop = every(MINUTE_MS, flush);

  function write({ actor, action, resource_type, resource_id, limit, count, since }: Tally): void {
    const from = new Date(since).toISOString();
    trail.record({
      action,
      actor,
      resource_type,
      resource_id,
      detail: limit === null ? { count, from } : { route_class: limit, count, from },
    });
  }

  function flush(): void {
    for (const tally of tallies.values()) if (tally.count > 0) write(tally);
    tallies.clear();
  }

  /** Returns the tally of this minute. Writes the tally of an earlier minute first. */
  function tallyOf(name: string, of: Omit<Tally, "singles" | "count" | "since">): Tally {
    const now = runtime.now();
    const current = tallies.get(name);
    if (current && now - current.since < MINUTE_MS) return current;
    if (current && current.count > 0) write(current);
    else if (tallies.size >= CAPACITY) flush();
    const fresh = { ...of, singles: 0, count: 0, since: now };
    tallies.set(name, fresh);
    return fresh;
  }

  /** Writes an entry up to `most` times per tally, then counts. */
  function writeOrCount(incident: Incident, most: number, tally: Tally): void {
    if (tally.singles === most) {
      tally.count++;
      return;
    }
    tally.singles++;
    trail.record(incident);
  }

  function fail(action: string, resource_id: string | null, actor: Actor, detail?: Record<string, unknown>): void {
    const of = { actor, action, resource_type: typeOf(action) };
    const tally = tallyOf(`${action} ${networkOf(actor.ip)}`, { ...of, resource_id: null, limit: null });
    writeOrCount({ ...of, resource_id, ...(detail && { detail }) }, SINGLE_FAILURES, tally);
  }

  return {
    used(caller, limit) {
      if (caller.type === "ANONYMOUS") return;
      if (caller.type === "API_KEY") {
        if (caller.isFirstUse) return;
        const { actor, keyId } = caller;
        const of = { actor, action: "api_key.use", resource_type: "api_key", resource_id: keyId, limit };
        tallyOf(`${keyId} ${limit}`, of).count++;
        return;
      }
      const { actor, sessionId, userId } = caller;
      const id = sessionId ?? userId;
      if (!seenSessions.has(id)) {
        if (seenSessions.size >= KNOWN_SESSIONS) seenSessions.clear();
        seenSessions.add(id);
        trail.record({ action: "token.first_use", actor, resource_type: "token", resource_id: id });
        return;
      }
      const of = { actor, action: "token.use", resource_type: "token", resource_id: id, limit };
      tallyOf(`${id} ${limit}`, of).count++;
    },
    refused(error, request, actor) {
      if (error.detail === "Invalid API key" || !request.headers.has("authorization")) return;
      fail("token.refused", null, actor, { reason: error.detail });
    },
    keyRefused: (keyId, actor) => fail("api_key.refused", keyId, actor),
    denied(caller, operationId, error) {
      if (caller.type === "ANONYMOUS" || !isApiError(error) || error.status !== 403) return;
      const of = { actor: caller.actor, action: "access.denied", resource_type: "operation", resource_id: operationId };
      const tally = tallyOf(`access.denied ${caller.actor.actor_id} ${operationId}`, { ...of, limit: null });
      writeOrCount({ ...of, detail: { detail: error.detail } }, 1, tally);
    },
    webhookRefused: (integrationId, actor) => fail("integration.webhook_refused", integrationId, actor),
    flush,
    close() {
      stop();
      flush();
    },
  };
}

function typeOf(action: string): string {
  return action.slice(0, action.indexOf("."));
}
