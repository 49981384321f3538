import type { H3 } from "h3-v2";
import { andThen } from "../../ground/awaitable.ts";
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

  const evaluate: Answer = ({ request, caller, headers, params }) =>
    andThen(bodies.value(request), (body) => {
      const context = parseContext(body);
      return andThen(overrides(request), (forced) => {
        const { status, text } = ofrep.evaluate(params.key!, context, caller, forced);
        return jsonResponse(status, text, headers);
      });
    });
  const evaluateAll: Answer = ({ request, url, caller, headers }) => {
    const streamPath = url.pathname.replace(/\/evaluate\/flags\/?$/, "/stream");
    return andThen(bodies.value(request), (body) => {
      const context = parseContext(body);
      const announced = url.search === "" ? null : url.searchParams.get("flagConfigEtag");
      return andThen(announced === null ? undefined : ofrep.reach(announced, caller), () =>
        andThen(overrides(request), (forced) =>
          andThen(ofrep.evaluateAll(context, caller, streamPath, forced), ({ text, etag }) => {
            headers.ETag = etag;
            return isFresh(request, etag) ? emptyResponse(304, headers) : jsonResponse(200, text, headers);
          }),
        ),
      );
    });
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
