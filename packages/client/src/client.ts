import type { MisspeltArguments, RouteOrNearest } from "./nearest-route.ts";
import { systemClock } from "./retry.ts";
import type { Answer, RawAnswer, RequestArguments, Route } from "./route.ts";
import { type ClientOptions, createTransport, type Send } from "./transport.ts";

/** A typed client of the whole API. */
export interface Client {
  /**
   * Sends a request and returns its parsed body.
   * @throws AssayError for any unsuccessful answer, and if there was no answer
   * @example
   * const { value } = await client.request("POST /feature-flags/{key}/evaluate", {
   *   params: { key: "new-checkout" },
   *   body: { user_id: "user-123" },
   * });
   */
  request<R extends Route>(route: R, ...options: RequestArguments<R>): Promise<Answer<R>>;
  /** Refuses a string that is no route; the message of TypeScript names the nearest routes. */
  request<R extends string, Options extends unknown[]>(
    route: RouteOrNearest<R>,
    ...options: MisspeltArguments<R, Options>
  ): Promise<Answer<Extract<R, Route>>>;
  /**
   * Like `request`, but returns the status and headers too.
   * @throws AssayError as `request` does.
   */
  raw<R extends Route>(route: R, ...options: RequestArguments<R>): Promise<RawAnswer<R>>;
  /** Refuses a string that is no route; the message of TypeScript names the nearest routes. */
  raw<R extends string, Options extends unknown[]>(
    route: RouteOrNearest<R>,
    ...options: MisspeltArguments<R, Options>
  ): Promise<RawAnswer<Extract<R, Route>>>;
}

/**
 * Creates a client. With `apiKey` it calls as an application, with `username` and `password` or with tokens as a user,
 * with both as whichever the route takes.
 * @throws TypeError if `baseUrl` is not an http(s) address.
 * @example
 * const client = createClient({ apiKey: process.env.ASSAY_API_KEY });
 */
export function createClient(options: ClientOptions = {}): Client {
  return toClient(createTransport(options, systemClock));
}

/** Types a transport by its routes: the only cast to the generated types. */
export function toClient(send: Send): Client {
  const request: Send<unknown> = async (route, call) => (await send(route, call)).data;
  return { request, raw: send } as Client;
}
