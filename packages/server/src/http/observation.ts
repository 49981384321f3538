import type { Awaitable } from "../ground/awaitable.ts";
import { knownMethod, noMetrics } from "../ground/metrics.ts";
import type { Runtime } from "../ground/runtime.ts";
import type { Caller } from "../model/caller.ts";
import { type AccessLog, nameCaller } from "./access-log.ts";
import type { Peer } from "./peer.ts";
import { bodyLength } from "./prepared-response.ts";

/** What the server learns about a request while it answers it. */
export interface Observation {
  /** The template of the route, such as `/api/v1/users/:user_id`; null while no route is known. */
  route: string | null;
  requestId: string | null;
  caller: Caller | null;
}

type Answer = (request: Request) => Awaitable<Response>;

/** A property of the request, because a `WeakMap` with an entry for each request makes an evaluation 5 % slower. */
const OBSERVATION = Symbol("observation");

/** Returns the observation of a request; undefined if the request is not observed. */
export function observationOf(request: Request): Observation | undefined {
  return (request as Request & { [OBSERVATION]?: Observation })[OBSERVATION];
}

/** Wraps the answer to every request with a span, metrics and an entry in the access log. */
export function observeRequests(answer: Answer, runtime: Runtime, peer: Peer, accessLog?: AccessLog): Answer {
  const { logger, metrics, tracing } = runtime;
  const isMeasured = metrics !== noMetrics || accessLog !== undefined;

  function log(request: Request, response: Response, observation: Observation, milliseconds: number): void {
    const { route, requestId, caller } = observation;
    try {
      accessLog?.({
        time: new Date(runtime.now()).toISOString(),
        request_id: requestId ?? response.headers.get("x-request-id"),
        method: request.method,
        route,
        status: response.status,
        duration_ms: Math.round(milliseconds * 1000) / 1000,
        bytes: bodyLength(response),
        ...nameCaller(caller),
        address: peer.addressOf(request),
      });
    } catch (error) {
      logger.warn("The access log cannot be written", { error: String(error) });
    }
  }

  return (request) => {
    if (!isMeasured && !tracing.isActive()) return answer(request);
    const method = knownMethod(request.method);
    const observation: Observation = { route: null, requestId: null, caller: null };
    Object.assign(request, { [OBSERVATION]: observation });
    const started = performance.now();
    return tracing.request(method === "_OTHER" ? "HTTP" : method, request.headers, async (span) => {
      const response = await answer(request);
      const milliseconds = performance.now() - started;
      const { status } = response;
      const { route } = observation;
      metrics.request(method, route, status, milliseconds / 1000);
      if (accessLog) log(request, response, observation, milliseconds);
      span.set({ "http.request.method": method, "http.response.status_code": status });
      if (route !== null) {
        span.name(`${method} ${route}`);
        span.set({ "http.route": route });
      }
      if (status >= 500) span.fail(String(status));
      return response;
    });
  };
}
