import type { Routes } from "./openapi.generated.ts";

/** The key of every route, such as `"POST /feature-flags/{key}/evaluate"`. */
export type Route = keyof Routes;

/** What a route answers; `undefined` for a 204. */
export type Answer<R extends Route> = Routes[R]["response"];

/** Options of every request, on any route. */
export interface CallOptions {
  /** Sent on top of the client's own headers; `If-Match` and `If-None-Match` go here. */
  headers?: ConstructorParameters<typeof Headers>[0];
  /** Makes a creating POST safe to repeat for 24 h, and thereby retried on network and server errors. */
  idempotencyKey?: string;
  /** Ends the request, its retries and its waiting; the promise rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Milliseconds for one attempt; the client's `timeout` where absent. */
  timeout?: number;
  /** Attempts after the first; the client's `retries` where absent. */
  retries?: number;
}

/** What a route takes: `params`, `query` and `body` as far as it has them, and {@link CallOptions}. */
export type RequestOptions<R extends Route> = Pick<Routes[R], Extract<keyof Routes[R], "params" | "query" | "body">> &
  CallOptions;

/** The options of a route as rest parameters: left out where nothing in them is required. */
export type RequestArguments<R extends Route> =
  Record<never, never> extends RequestOptions<R> ? [options?: RequestOptions<R>] : [options: RequestOptions<R>];

/** An answer with its status and headers (`ETag`, `Link`, `RateLimit-Remaining`, …). */
export interface RawAnswer<R extends Route> {
  /** 2xx, or 304 where `If-None-Match` was sent and `data` is therefore undefined. */
  status: number;
  headers: Headers;
  data: Answer<R>;
}
