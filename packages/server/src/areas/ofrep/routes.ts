import type { H3 } from "h3-v2";
import { emptyResponse, jsonResponse } from "../../http/boundary.ts";
import { isFresh } from "../../http/etag.ts";
import { createProtocolEndpoint, type ProtocolDeps, type ProtocolEndpoint } from "../../http/protocol-endpoint.ts";
import { API_PREFIX } from "../../http/router.ts";
import { ContextError, parseContext } from "./context.ts";
import type { OfrepService } from "./service.ts";

type Answer = ProtocolEndpoint["answer"];

const FOR_KEYS = { auth: { key: "read" }, client: true } as const;
const STREAM = { ...FOR_KEYS, operationId: "ofrep.stream" };

/**
 * Mounts the OpenFeature Remote Evaluation Protocol 0.3 at the root, as its clients expect, and under `/api/v1`. It is
 * not in the contract: the protocol defines its bodies, including errors.
 */
export function mountOfrep(app: H3, base: string, deps: ProtocolDeps & { ofrep: OfrepService }): void {
  const { ofrep, guard, bodies, overrides } = deps;

  const evaluate: Answer = async ({ request, caller, headers, params }) => {
    const context = parseContext(await bodies.value(request));
    const answer = ofrep.evaluate(params.key!, context, caller, await overrides(request));
    const status = !("errorCode" in answer) ? 200 : answer.errorCode === "FLAG_NOT_FOUND" ? 404 : 400;
    return jsonResponse(status, JSON.stringify(answer), headers);
  };
  const evaluateAll: Answer = async ({ request, url, caller, headers }) => {
    const streamPath = url.pathname.replace(/\/evaluate\/flags\/?$/, "/stream");
    const context = parseContext(await bodies.value(request));
    const announced = url.searchParams.get("flagConfigEtag");
    if (announced !== null) await ofrep.reach(announced, caller);
    const { text, etag } = await ofrep.evaluateAll(context, caller, streamPath, await overrides(request));
    const withTag = { ...headers, ETag: etag };
    if (isFresh(request, etag)) return emptyResponse(304, withTag);
    return jsonResponse(200, text, withTag);
  };
  const stream: Answer = async ({ request, caller, headers, readmit }) => {
    const response = await ofrep.stream(caller, request.headers.get("last-event-id"), readmit);
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
    return response;
  };
  const byToken: ProtocolEndpoint["admit"] = async (request, url, actor) =>
    guard.admitKey(ofrep.keyOf(url.searchParams.get("token") ?? ""), request, STREAM, actor);

  const posted = (operationId: string, answer: Answer) =>
    createProtocolEndpoint({ method: "POST", route: { ...FOR_KEYS, operationId }, answer, refuse: toFailure }, deps);
  const opened = createProtocolEndpoint(
    { method: "GET", route: STREAM, admit: byToken, answer: stream, refuse: toFailure },
    deps,
  );
  for (const prefix of [base, `${base}${API_PREFIX}`]) {
    app.all(`${prefix}/ofrep/v1/evaluate/flags`, posted("ofrep.evaluateAll", evaluateAll));
    // Flag keys contain no slash. The protocol handler reports such keys.
    app.all(`${prefix}/ofrep/v1/evaluate/flags/**:key`, posted("ofrep.evaluate", evaluate));
    app.all(`${prefix}/ofrep/v1/stream`, opened);
  }
}

function toFailure(status: number, errorDetails: string, { key }: { key?: string }, error: unknown): object {
  const errorCode = error instanceof ContextError ? error.code : status === 400 ? "PARSE_ERROR" : undefined;
  return { key, errorCode, errorDetails };
}
