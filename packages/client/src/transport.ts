import { unanswered } from "./error.ts";
import { createExchange, type Fetch, type Reply } from "./exchange.ts";
import type { Tokens } from "./openapi.generated.ts";
import { type Clock, isReplaySafe, isRetryable, retryDelay } from "./retry.ts";
import type { CallOptions } from "./route.ts";
import { createSession, type SessionOptions } from "./session.ts";
import { toBaseUrl, toSearch, toTarget } from "./url.ts";

export interface ClientOptions extends SessionOptions {
  /**
   * Address of the server, with or without `/api/v1`.
   * @default "http://127.0.0.1:4400"
   */
  baseUrl?: string;
  /** API key, sent as `X-API-Key`. */
  apiKey?: string;
  /**
   * Environment of the requests, sent as `X-Assay-Environment`. An API key needs none: it belongs to one.
   * @default the first of the server
   */
  environment?: string;
  /** Replaces the global `fetch`. With the `fetch` of a server in the same process, requests need no port. */
  fetch?: Fetch;
  /**
   * Timeout of one attempt, including its body, in milliseconds; 0 for none. The client does not retry if `Retry-After`
   * is longer.
   * @default 30000
   */
  timeout?: number;
  /**
   * Maximum number of retries.
   * @default 2
   */
  retries?: number;
  /** Additional headers of every request. */
  headers?: ConstructorParameters<typeof Headers>[0];
}

/** A request without the types of its route. */
export interface Call extends CallOptions {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
}

export type Send<Answer = Reply> = (route: string, call?: Call) => Promise<Answer>;

/** The maximum delay of a timer: 25 days in milliseconds. It stands for no limit. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** Creates the function that sends all requests, with credentials and retries. */
export function createTransport(options: ClientOptions, clock: Clock): Send {
  const base = toBaseUrl(options.baseUrl ?? "http://127.0.0.1:4400");
  const exchange = createExchange(options.fetch);
  const session = createSession(
    options,
    async (route, body) => (await sendAs(undefined, route, { body })).data as Tokens,
  );

  async function sendAs(token: string | undefined, route: string, call: Call): Promise<Reply> {
    const { query, body, idempotencyKey, signal } = call;
    const retries = call.retries ?? options.retries ?? 2;
    const timeout = Math.min((call.timeout ?? options.timeout ?? 30_000) || MAX_TIMEOUT_MS, MAX_TIMEOUT_MS);
    const [method, path] = toTarget(route, call.params).split(" ") as [string, string];
    let headers: Headers;
    try {
      headers = new Headers(options.headers);
      if (options.apiKey) headers.set("x-api-key", options.apiKey);
      if (options.environment) headers.set("x-assay-environment", options.environment);
      if (token) headers.set("authorization", `Bearer ${token}`);
      // Also without a body: SvelteKit and Astro take such requests for forms of other sites, and refuse them.
      if (method !== "GET") headers.set("content-type", "application/json");
      if (idempotencyKey) headers.set("idempotency-key", idempotencyKey);
      for (const one of new Headers(call.headers)) headers.set(...one);
    } catch {
      throw unanswered(route, "VALIDATION", "headers cannot be sent");
    }
    for (let attempt = 0; ; attempt++) {
      try {
        return await exchange(
          route,
          base + path,
          { method, search: toSearch(query), headers, body: JSON.stringify(body), signal },
          timeout,
        );
      } catch (error) {
        if (attempt >= retries || !isRetryable(error, isReplaySafe(method, path, body, idempotencyKey))) throw error;
        if (error.retryAfter! * 1_000 > timeout) throw error;
        await clock.sleep(retryDelay(error, attempt, clock.random()), signal);
      }
    }
  }

  return async (route, call = {}) => {
    // Requests for tokens need no token; getting one first would recurse forever.
    const token = / \/auth\/(?!me|logout)/.test(route) ? undefined : await session();
    try {
      return await sendAs(token, route, call);
    } catch (error) {
      const rejected = token && Object(error).code === "NOT_AUTHENTICATED";
      const renewed = rejected && (await session(token));
      if (!renewed) throw error;
      return sendAs(renewed, route, call);
    }
  };
}
