import { AssayError, toAssayError, unanswered } from "./error.ts";

/** A request without its URL. */
export interface Outgoing {
  method: string;
  /** The query, with its question mark; empty for none. */
  search: string;
  headers: Headers;
  body: string | undefined;
  signal: AbortSignal | undefined;
}

/**
 * Sends one request, without retries. Rejects with an {@link AssayError} that names the route, or with the reason of
 * the signal.
 */
export type Exchange = (route: string, url: string, outgoing: Outgoing, timeout: number) => Promise<Reply>;

export interface Reply {
  status: number;
  headers: Headers;
  /** The parsed JSON, the text, or the stream of server-sent events; undefined without a body. */
  data: unknown;
}

/**
 * A function like the global `fetch`, called with a `Request`. The `fetch` of a server in the same process fits too.
 */
export type Fetch = (request: Request) => Response | Promise<Response>;

/** Creates the function that sends requests. */
export function createExchange(custom: Fetch | undefined): Exchange {
  return async (route, url, { search, signal, ...request }, timeout) => {
    signal?.throwIfAborted();
    const ending = new AbortController();
    const abort = () => ending.abort(signal!.reason);
    signal?.addEventListener("abort", abort);
    const timer = setTimeout(
      () => ending.abort(unanswered(route, "TIMEOUT", `No answer within ${timeout} ms`)),
      timeout,
    );
    let streaming = false;
    try {
      // A toggle takes effect at once: HTTP caches are bypassed. fetch would forward the API key to any address.
      const init: RequestInit = { ...request, signal: ending.signal, cache: "no-cache", redirect: "manual" };
      const send = (path: string) =>
        custom ? custom(new Request(path + search, init)) : globalThis.fetch(path + search, init);
      let response = await send(url);
      // Frameworks such as Next.js redirect to the same path with or without the slash at its end. Browsers hide where a
      // redirect leads, and its status. The other path is all that is ever tried.
      const other = url.replace(/\/?$/, (slash) => (slash ? "" : "/"));
      const [target = " "] = response.headers.get("location")?.split("?") ?? [];
      if (!response.status || (response.status > 306 && other.endsWith(target))) response = await send(other);
      const { status, headers, ok } = response;
      const type = headers.get("content-type") ?? "";
      streaming = ok && /event-stream/.test(type);
      if (streaming) return { status, headers, data: response.body };
      const text = await response.text();
      const data: unknown = text && /[/+]json/.test(type) ? JSON.parse(text) : text || undefined;
      if (ok || status === 304) return { status, headers, data };
      throw toAssayError(route, response, data);
    } catch (error) {
      ending.signal.throwIfAborted();
      if (error instanceof AssayError) throw error;
      if (error instanceof SyntaxError) throw unanswered(route, "INVALID_RESPONSE", "Not JSON");
      // Node hides the reason ("ECONNREFUSED") below "fetch failed".
      let cause: { cause?: unknown; code?: unknown; message?: unknown } = Object(error);
      while (cause.cause) cause = Object(cause.cause);
      throw unanswered(route, "NETWORK", `Cannot reach ${new URL(url).origin}: ${cause.code ?? cause.message}`, cause);
    } finally {
      clearTimeout(timer);
      // A stream continues after its headers, so the caller's signal must stay connected.
      if (!streaming) signal?.removeEventListener("abort", abort);
    }
  };
}
