import type { Routes } from "./openapi.generated.ts";

/** The key of every route, such as `"POST /feature-flags/{key}/evaluate"`. */
export type Route = keyof Routes;

/** The response body of a route; `undefined` for a 204. */
export type Answer<R extends Route> = Routes[R]["response"];

/** Options of every request, on any route. */
export interface CallOptions {
  /** Additional headers, such as `If-Match` and `If-None-Match`. */
  headers?: ConstructorParameters<typeof Headers>[0];
  /**
   * An idempotency key: within 24 h, the server creates at most one object for the same key. Requests with a key are
   * retried after network and server errors.
   */
  idempotencyKey?: string;
  /** Cancels the request, its retries and its delays; the promise rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Timeout of one attempt in milliseconds; defaults to the client's `timeout`. */
  timeout?: number;
  /** Maximum number of retries; defaults to the client's `retries`. */
  retries?: number;
}

/** The options of a route: its `params`, `query` and `body`, if any, and {@link CallOptions}. */
export type RequestOptions<R extends Route> = Pick<Routes[R], Extract<keyof Routes[R], "params" | "query" | "body">> &
  CallOptions;

/**
 * The options of a route as rest parameters: optional if nothing in them is required. For `Route` itself, which
 * TypeScript infers from a string that is no route, their number fits no call.
 */
export type RequestArguments<R extends Route> = [Route] extends [R]
  ? [never, never, never]
  : Record<never, never> extends RequestOptions<R>
    ? [options?: RequestOptions<R>]
    : [options: RequestOptions<R>];

/** A response body with its status and headers (`ETag`, `Link`, `RateLimit-Remaining`, …). */
export interface RawAnswer<R extends Route> {
  /** 2xx, or 304 if `If-None-Match` was sent; then `data` is undefined. */
  status: number;
  headers: Headers;
  data: Answer<R>;
}
