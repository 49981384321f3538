import type { LimitClass } from "@assay/contract";
import { type Awaitable, andThen, orElse } from "../ground/awaitable.ts";
import { ApiError } from "../ground/errors.ts";
import type { Runtime } from "../ground/runtime.ts";
import type { AccessTrail } from "../identity/access.ts";
import type { Caller } from "../model/caller.ts";
import type { Actor } from "../storage/change.ts";
import type { Bodies } from "./body.ts";
import { checkDeclaredLength } from "./body-size.ts";
import { standardHeaders, toErrorResponse } from "./boundary.ts";
import type { Cors } from "./cors.ts";
import type { Limiter } from "./limits.ts";
import { observationOf } from "./observation.ts";
import type { Peer } from "./peer.ts";
import { refusalOf } from "./refusal.ts";

/** A request as the router passes it on. */
export interface Incoming {
  request: Request;
  url: URL;
  params: Record<string, string>;
}

/** An admitted request, and the headers of its response so far. */
export interface Admitted<C extends Caller = Caller> extends Incoming {
  caller: C;
  headers: Record<string, string>;
  /** What `readFirst` read. */
  body: unknown;
}

/** What an endpoint decides about its requests; {@link enter} does the rest. */
export interface Entry<C extends Caller = Caller> {
  limit: LimitClass;
  /** Whether the requests change nothing, even those with another method than GET. */
  reads?: boolean;
  /** Null if pages of other origins may not call it. */
  cors: Cors | null;
  /** The only method of a path that is mounted for all methods. */
  method?: string;
  /** Headers of every response besides the standard ones. */
  headers?: Record<string, string>;
  /** @throws ApiError 401, 403 */
  admit(incoming: Incoming, actor: Actor): Awaitable<C>;
  /** Reads the body before the request counts. Sign-in attempts count per username. */
  readFirst?(request: Request): Awaitable<unknown>;
  answer(admitted: Admitted<C>): Awaitable<Response>;
  /** The body of an error response. @default `{detail}` */
  toErrorBody?(refusal: ApiError, params: Record<string, string>, error: unknown): object;
}

export interface EntryDeps {
  /** Path of the server, without a slash at its end. */
  base: string;
  runtime: Runtime;
  limiter: Limiter;
  peer: Peer;
  access: AccessTrail;
  bodies: Bodies;
}

/**
 * Leads every request to its endpoint: request id -> body limit -> credentials -> rate limit -> answer. Audits, counts
 * and formats refusals. Never rejects. Waits only where a step waits.
 */
export function enter<C extends Caller>(incoming: Incoming, entry: Entry<C>, deps: EntryDeps): Awaitable<Response> {
  const { request, url, params } = incoming;
  const { runtime, limiter, access } = deps;
  const actor = actorOf(request, runtime, deps.peer);
  const headers = standardHeaders(actor.request_id!);
  if (entry.headers) Object.assign(headers, entry.headers);
  let caller: C | undefined;

  function lead(): Awaitable<Response> {
    const { limit, cors, method } = entry;
    if (method !== undefined) {
      const preflight = cors?.preflight(request, [method], headers);
      if (preflight) return preflight;
    }
    cors?.allow(request, headers);
    if (method !== undefined && request.method !== method) {
      throw new ApiError(405, "Method not allowed", { Allow: method });
    }
    checkDeclaredLength(request);
    return andThen(entry.admit(incoming, actor), (admitted) => {
      caller = admitted;
      access.used(admitted, limit);
      const observation = observationOf(request);
      if (observation) observation.caller = admitted;
      return andThen(entry.readFirst?.(request), (body) => {
        const taken = limiter.take(limit, admitted, { username: usernameIn(body), isRead: isRead(entry, request) });
        return andThen(taken, (counts) => {
          Object.assign(headers, counts);
          return entry.answer({ request, url, params, caller: admitted, headers, body });
        });
      });
    });
  }

  async function refuse(error: unknown): Promise<Response> {
    const isCounted = entry.limit === "auth";
    const refusal = caller ? error : await refusalOf(error, request, actor, { access, limiter, isCounted });
    const toBody = entry.toErrorBody && ((shown: ApiError) => entry.toErrorBody!(shown, params, error));
    return toErrorResponse(refusal, headers, runtime.logger, toBody, deps.base);
  }

  return orElse(lead, refuse);
}

/** Returns the origin of a request, before its credentials are checked. */
export function actorOf(request: Request, runtime: Runtime, peer: Peer): Actor {
  return {
    actor_type: "USER",
    actor_id: null,
    ip: peer.addressOf(request),
    user_agent: request.headers.get("user-agent")?.slice(0, 512) ?? null,
    request_id: requestIdOf(request, runtime),
  };
}

/** Returns the `X-Request-Id` of a request, or a new one. */
export function requestIdOf(request: Request, runtime: Runtime): string {
  const given = request.headers.get("x-request-id");
  const id = given && /^[\w.-]{1,128}$/.test(given) ? given : runtime.id();
  const observation = observationOf(request);
  if (observation) observation.requestId = id;
  return id;
}

function isRead({ reads }: Pick<Entry, "reads">, { method }: Request): boolean {
  return reads === true || method === "GET" || method === "HEAD";
}

function usernameIn(body: unknown): string | undefined {
  if (!body || typeof body !== "object" || !("username" in body)) return undefined;
  return typeof body.username === "string" ? body.username.slice(0, 320) : undefined;
}
