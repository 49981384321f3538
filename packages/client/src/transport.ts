import { AssayError } from "./error.ts";
import { createExchange, type Fetch, type Reply } from "./exchange.ts";
import type { Tokens } from "./openapi.generated.ts";
import { type Clock, isReplaySafe, isRetryable, retryDelay } from "./retry.ts";
import type { CallOptions } from "./route.ts";
import { createSession, type SessionOptions } from "./session.ts";
import { toBaseUrl, toTarget } from "./url.ts";

export interface ClientOptions extends SessionOptions {
  /**
   * The server's address, with or without `/api/v1`.
   * @default "http://127.0.0.1:4400"
   */
  baseUrl?: string;
  /** Sent as `X-API-Key`. */
  apiKey?: string;
  /** Used instead of the global `fetch`; the `fetch` of a server in the same process needs no port. */
  fetch?: Fetch;
  /**
   * Milliseconds for one attempt, its body included; 0 for no limit. A `Retry-After` beyond it is not waited for.
   * @default 30000
   */
  timeout?: number;
  /**
   * Attempts after the first.
   * @default 2
   */
  retries?: number;
  /** Sent with every request. */
  headers?: Record<string, string>;
}

/** A request without the types of its route. */
export interface Call extends CallOptions {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
}

export type Send = (route: string, call?: Call) => Promise<Reply>;

/** As long as a timer can be set to, 25 days: no limit. */
const LONGEST = 2 ** 31 - 1;

/** Creates the one function that all requests go through: credentials, then retries. */
export function createTransport(options: ClientOptions, clock: Clock): Send {
  const base = toBaseUrl(options.baseUrl ?? "http://127.0.0.1:4400");
  const headers = { ...(options.apiKey && { "x-api-key": options.apiKey }), ...options.headers };
  const exchange = createExchange(options.fetch, headers);
  const session = createSession(options, async (route, body) => {
    const { data } = await sendAs(undefined, route, { body });
    return data as Tokens;
  });

  async function sendAs(token: string | undefined, route: string, call: Call): Promise<Reply> {
    const { query, body, idempotencyKey, signal } = call;
    const retries = call.retries ?? options.retries ?? 2;
    const timeout = Math.min((call.timeout ?? options.timeout ?? 30_000) || LONGEST, LONGEST);
    const [method, path] = toTarget(route, call.params);
    const outgoing = {
      route,
      method,
      url: base + path,
      query,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(idempotencyKey && { "idempotency-key": idempotencyKey }),
        ...call.headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
      timeout,
    };
    const replaySafe = isReplaySafe(method, path, body, idempotencyKey);
    for (let attempt = 0; ; attempt++) {
      try {
        return await exchange(outgoing);
      } catch (error) {
        const retryable = attempt < retries && isRetryable(error, replaySafe);
        if (!retryable || (error.retryAfter ?? 0) * 1000 > timeout) throw error;
        await clock.sleep(retryDelay(error, attempt, clock.random()), signal);
      }
    }
  }

  return async (route, call = {}) => {
    // Asking for a token needs none; getting one first would turn in a circle.
    if (/ \/auth\/(?!me|logout)/.test(route)) return sendAs(undefined, route, call);
    const token = await session();
    try {
      return await sendAs(token, route, call);
    } catch (error) {
      const rejected = token && error instanceof AssayError && error.code === "NOT_AUTHENTICATED";
      const renewed = rejected && (await session(token));
      if (!renewed) throw error;
      return sendAs(renewed, route, call);
    }
  };
}
