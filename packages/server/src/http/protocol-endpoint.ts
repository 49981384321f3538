import type { H3Event } from "h3";
import { ApiError, badRequest } from "../errors.ts";
import type { Guard, ProtectedRoute } from "../identity/guard.ts";
import type { KeyCaller } from "../model/caller.ts";
import type { Actor } from "../storage/change.ts";
import { checkDeclaredLength } from "./body.ts";
import { jsonResponse, standardHeaders, toRefusal } from "./boundary.ts";
import { actorOf, type PipelineDeps } from "./pipeline.ts";
import { refusalOf } from "./refusal.ts";

/** One admitted request to an endpoint of another protocol. */
export interface ProtocolCall {
  request: Request;
  url: URL;
  caller: KeyCaller;
  /** Response headers so far. */
  headers: Record<string, string>;
  /** Decoded. */
  params: Record<string, string>;
  /** Rejects once the key loses access. */
  readmit(): Promise<unknown>;
}

export interface ProtocolEndpoint {
  method: "GET" | "POST" | "PUT" | "DELETE";
  route: ProtectedRoute;
  /** Reads and checks the key of the caller. @default by header, see {@link admitByHeader} */
  admit?(request: Request, url: URL, actor: Actor): Promise<KeyCaller>;
  answer(call: ProtocolCall): Response | Promise<Response>;
  /** Formats a refusal for the protocol. */
  refuse(status: number, detail: string, params: Record<string, string>, error: unknown): object;
}

export type ProtocolDeps = Omit<PipelineDeps, "services" | "idempotency">;

/** Creates an endpoint with the same checks as routes of the contract, but the responses of another protocol. */
export function createProtocolEndpoint(endpoint: ProtocolEndpoint, deps: ProtocolDeps) {
  const { method, route, answer, refuse } = endpoint;
  const { runtime, guard, peer, cors, access, limiter } = deps;
  const admit = endpoint.admit ?? admitByHeader(guard, route);

  return async ({ req: request, url, context }: H3Event): Promise<Response> => {
    const actor = actorOf(request, runtime, peer);
    const headers: Record<string, string> = { ...standardHeaders(actor.request_id!), "Cache-Control": "no-store" };
    const preflight = cors?.preflight(request, [method], headers);
    if (preflight) return preflight;
    let params: Record<string, string> = {};
    let caller: KeyCaller | undefined;
    try {
      cors?.allow(request, headers);
      if (request.method !== method) throw new ApiError(405, "Method not allowed", { Allow: method });
      checkDeclaredLength(request);
      params = decode(context.params ?? {});
      caller = await admit(request, url, actor);
      access.used(caller, "api");
      Object.assign(headers, await limiter.take("api", caller));
      const { keyId } = caller;
      const readmit = async () => guard.admitKey(keyId, request, route, actor);
      return await answer({ request, url, caller, headers, params, readmit });
    } catch (error) {
      const refusal = caller ? error : await refusalOf(error, request, actor, { access, limiter, isCounted: false });
      const { status, detail, headers: own } = toRefusal(refusal, headers, runtime.logger);
      const body = refuse(status, String(detail), params, error);
      return jsonResponse(status, JSON.stringify(body), { ...headers, ...own });
    }
  };
}

/** Admits by `X-API-Key`, or by the bearer token that clients of open protocols send. */
export function admitByHeader(guard: Guard, route: ProtectedRoute): NonNullable<ProtocolEndpoint["admit"]> {
  // The route accepts only keys, so the caller is a key.
  return async (request, _url, actor) => (await guard.admit(withKeyHeader(request), route, actor)) as KeyCaller;
}

function withKeyHeader(request: Request): Request {
  if (request.headers.has("x-api-key")) return request;
  const token = /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  if (token === undefined) return request;
  const headers = new Headers(request.headers);
  headers.set("x-api-key", token);
  return new Request(request.url, { headers });
}

function decode(params: Record<string, string>): Record<string, string> {
  const decoded: Record<string, string> = {};
  try {
    for (const name in params) decoded[name] = decodeURIComponent(params[name]!);
  } catch {
    throw badRequest("The path is not valid percent-encoding");
  }
  return decoded;
}
