import type { H3, H3Event } from "h3";
import { checkDeclaredLength, readBody } from "../../http/body.ts";
import { jsonResponse, standardHeaders, toErrorResponse } from "../../http/boundary.ts";
import { ApiError, badRequest, isApiError } from "../../http/errors.ts";
import { etagOf, isFresh } from "../../http/etag.ts";
import { actorOf, type PipelineDeps } from "../../http/pipeline.ts";
import { API_PREFIX } from "../../http/router.ts";
import type { KeyCaller } from "../../identity/caller.ts";
import type { Actor } from "../../storage/change.ts";
import { ContextError, parseContext } from "./context.ts";
import type { OfrepService } from "./service.ts";

export interface OfrepDeps extends Omit<PipelineDeps, "services" | "idempotency"> {
  ofrep: OfrepService;
}

/** One request, admitted. */
interface OfrepCall {
  request: Request;
  url: URL;
  caller: KeyCaller;
  headers: Record<string, string>;
  /** The flag's key, where the path has one. */
  key: string | undefined;
  readmit(): Promise<unknown>;
}

type Answer = (call: OfrepCall) => Response | Promise<Response>;
type Admit = (request: Request, url: URL, actor: Actor) => Promise<KeyCaller>;

const FOR_KEYS = { auth: { key: "read" }, client: true } as const;

/**
 * Mounts the OpenFeature Remote Evaluation Protocol 0.3, at the root, where its clients look for it, and under
 * `/api/v1`. It is not in the contract: its bodies, errors included, are the protocol's.
 */
export function mountOfrep(app: H3, base: string, deps: OfrepDeps): void {
  const { ofrep, guard } = deps;

  const byHeader: Admit = async (request, _url, actor) =>
    (await guard.admit(withKeyHeader(request), FOR_KEYS, actor)) as KeyCaller;
  const byToken: Admit = async (request, url, actor) =>
    guard.admitKey(ofrep.keyOf(url.searchParams.get("token") ?? ""), request, FOR_KEYS, actor);

  const evaluate: Answer = async ({ request, caller, headers, key = "" }) => {
    const answer = ofrep.evaluate(key, parseContext(await readBody(request)), caller);
    const status = !("errorCode" in answer) ? 200 : answer.errorCode === "FLAG_NOT_FOUND" ? 404 : 400;
    return jsonResponse(status, JSON.stringify(answer), headers);
  };
  const evaluateAll: Answer = async ({ request, url, caller, headers }) => {
    const streamPath = url.pathname.replace(/\/evaluate\/flags\/?$/, "/stream");
    const text = JSON.stringify(ofrep.evaluateAll(parseContext(await readBody(request)), caller, streamPath));
    // Over the streams too: a provider that is told nothing has changed goes on with the address it has.
    const etag = etagOf(null, text);
    const withTag = { ...headers, ETag: etag };
    if (isFresh(request, etag)) return new Response(null, { status: 304, headers: withTag });
    return jsonResponse(200, text, withTag);
  };
  const stream: Answer = async ({ request, caller, headers, readmit }) => {
    const response = ofrep.stream(caller, request.headers.get("last-event-id"), readmit);
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
    return response;
  };

  for (const prefix of [base, `${base}${API_PREFIX}`]) {
    app.all(`${prefix}/ofrep/v1/evaluate/flags`, createEndpoint("POST", byHeader, evaluateAll, deps));
    app.all(`${prefix}/ofrep/v1/evaluate/flags/:key`, createEndpoint("POST", byHeader, evaluate, deps));
    app.all(`${prefix}/ofrep/v1/stream`, createEndpoint("GET", byToken, stream, deps));
  }
}

/** OFREP clients also send their key as a bearer token. */
function withKeyHeader(request: Request): Request {
  if (request.headers.has("x-api-key")) return request;
  const token = /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  if (token === undefined) return request;
  const headers = new Headers(request.headers);
  headers.set("x-api-key", token);
  return new Request(request.url, { headers });
}

/** The pipeline of the API with the protocol's words for what goes wrong. */
function createEndpoint(method: "GET" | "POST", admit: Admit, answer: Answer, deps: OfrepDeps) {
  const { runtime, peer, cors, access, limiter } = deps;

  /** Wrong credentials are written down and counted. */
  async function refusalOf(error: unknown, request: Request, actor: Actor): Promise<unknown> {
    if (!isApiError(error) || error.status !== 401) return error;
    access.refused(error, request, actor);
    return limiter.refuse(actor).then(
      () => error,
      (tooMany: unknown) => tooMany,
    );
  }

  return async ({ req: request, url, context }: H3Event): Promise<Response> => {
    const actor = actorOf(request, runtime, peer);
    const headers: Record<string, string> = { ...standardHeaders(actor.request_id!), "Cache-Control": "no-store" };
    const preflight = cors?.preflight(request, [method], headers);
    if (preflight) return preflight;
    const encodedKey = context.params?.key;
    let key: string | undefined;
    let caller: KeyCaller | undefined;
    try {
      cors?.allow(request, headers);
      if (request.method !== method) throw new ApiError(405, "Method not allowed", { Allow: method });
      checkDeclaredLength(request);
      key = encodedKey === undefined ? undefined : decodeKey(encodedKey);
      caller = await admit(request, url, actor);
      access.used(caller, "api");
      Object.assign(headers, await limiter.take("api", caller));
      const { keyId } = caller;
      // By the key and not by the token, which is for opening a stream and not for how long it may last.
      const readmit = async () => deps.guard.admitKey(keyId, request, FOR_KEYS, actor);
      return await answer({ request, url, caller, headers, key, readmit });
    } catch (error) {
      if (error instanceof ContextError) return toFailure(400, key, error.code, error.message, headers);
      const refusal = caller ? error : await refusalOf(error, request, actor);
      const refused = toErrorResponse(refusal, headers, runtime.logger);
      const { detail } = (await refused.json()) as { detail: unknown };
      const code = refused.status === 400 ? "PARSE_ERROR" : undefined;
      return toFailure(refused.status, key, code, String(detail), Object.fromEntries(refused.headers));
    }
  };
}

function decodeKey(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw badRequest("The flag's key is not valid percent-encoding");
  }
}

function toFailure(
  status: number,
  key: string | undefined,
  errorCode: string | undefined,
  errorDetails: string,
  headers: Record<string, string>,
): Response {
  return jsonResponse(status, JSON.stringify({ key, errorCode, errorDetails }), headers);
}
