import type { H3Event } from "h3-v2";
import type { Awaitable } from "../ground/awaitable.ts";
import type { Guard, ProtectedRoute } from "../identity/guard.ts";
import type { KeyCaller } from "../model/caller.ts";
import type { Actor } from "../storage/change.ts";
import { type Admitted, type Entry, enter } from "./enter.ts";
import type { PipelineDeps } from "./pipeline.ts";

/** One admitted request to an endpoint of another protocol. Its params are decoded. */
export interface ProtocolCall extends Omit<Admitted<KeyCaller>, "body"> {
  /** Rejects once the key loses access. */
  readmit(): Promise<unknown>;
}

export interface ProtocolEndpoint {
  method: "GET" | "POST" | "PUT" | "DELETE";
  route: ProtectedRoute;
  /** Reads and checks the key of the caller. @default by header, see {@link admitByHeader} */
  admit?(request: Request, url: URL, actor: Actor): Awaitable<KeyCaller>;
  answer(call: ProtocolCall): Awaitable<Response>;
  /** Formats a refusal for the protocol. */
  refuse(status: number, detail: string, params: Record<string, string>, error: unknown): object;
}

export type ProtocolDeps = Omit<PipelineDeps, "services" | "idempotency">;

/** Creates an endpoint with the same checks as routes of the contract, but the responses of another protocol. */
export function createProtocolEndpoint(endpoint: ProtocolEndpoint, deps: ProtocolDeps) {
  const { method, route, answer, refuse } = endpoint;
  const { guard, cors } = deps;
  const admit = endpoint.admit ?? admitByHeader(guard, route);
  const entry: Entry<KeyCaller> = {
    limit: "api",
    cors,
    method,
    headers: { "Cache-Control": "no-store" },
    admit: ({ request, url }, actor) => admit(request, url, actor),
    answer({ request, url, params, caller, headers }) {
      const { keyId, actor } = caller;
      const readmit = async () => guard.admitKey(keyId, request, route, actor);
      return answer({ request, url, params, caller, headers, readmit });
    },
    toErrorBody: ({ status, detail }, params, error) => refuse(status, String(detail), params, error),
  };
  return ({ req: request, url, context }: H3Event): Awaitable<Response> =>
    enter({ request, url, params: decode(context.params ?? {}) }, entry, deps);
}

/** Admits by `X-API-Key`, or by the bearer token that clients of open protocols send. */
function admitByHeader(guard: Guard, route: ProtectedRoute): NonNullable<ProtocolEndpoint["admit"]> {
  // The route accepts only keys, so the caller is a key.
  return (request, _url, actor) => guard.admit(withKeyHeader(request), route, actor) as Awaitable<KeyCaller>;
}

function withKeyHeader(request: Request): Request {
  if (request.headers.has("x-api-key")) return request;
  const token = /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  if (token === undefined) return request;
  const headers = new Headers(request.headers);
  headers.set("x-api-key", token);
  return new Request(request.url, { headers });
}

/** Decodes the parameters of a path. h3 has refused invalid percent-encoding already. */
function decode(params: Record<string, string>): Record<string, string> {
  const decoded: Record<string, string> = {};
  for (const name in params) decoded[name] = decodeURIComponent(params[name]!);
  return decoded;
}
