import { createFetch } from "ofetch";
import { AssayError, toAssayError, unanswered } from "./error.ts";

/** One request, ready to go. */
export interface Outgoing {
  /** Named in errors. */
  route: string;
  method: string;
  url: string;
  query: Record<string, unknown> | undefined;
  headers: Record<string, string>;
  body: string | undefined;
  signal: AbortSignal | undefined;
  /** Milliseconds. */
  timeout: number;
}

export interface Reply {
  status: number;
  headers: Headers;
  /** Parsed JSON, text, or the stream of server-sent events; undefined where there is no body. */
  data: unknown;
}

/** Takes a `Request`, so the global `fetch` fits and so does the `fetch` of a server in the same process. */
export type Fetch = (request: Request) => Response | Promise<Response>;

/**
 * Creates the function that sends one request once, with these headers under its own. It rejects with an
 * {@link AssayError} or the signal's reason.
 */
export function createExchange(
  custom: Fetch | undefined,
  headers: Record<string, string>,
): (outgoing: Outgoing) => Promise<Reply> {
  const { raw } = createFetch({
    defaults: { headers },
    fetch: async (url, init) => (custom ? custom(new Request(url, init)) : globalThis.fetch(url, init)),
  });

  return async ({ route, url, signal, timeout, ...rest }) => {
    signal?.throwIfAborted();
    const controller = new AbortController();
    const abort = () => controller.abort(signal?.reason);
    const expire = () => controller.abort(unanswered(route, "TIMEOUT", `No answer within ${timeout} ms`));
    signal?.addEventListener("abort", abort);
    const timer = setTimeout(expire, timeout);
    let streaming = false;
    try {
      const response = await raw(url, {
        ...rest,
        signal: controller.signal,
        // A toggle shows at once: no HTTP cache answers for the server. A redirect would carry the API key along.
        cache: "no-cache",
        redirect: "manual",
        retry: false,
        ignoreResponseError: true,
        // The body is read below, inside the time-out and by JSON.parse, which keeps every key.
        responseType: "stream",
      });
      const { status, headers, ok } = response;
      const type = headers.get("content-type") ?? "";
      streaming = ok && type.startsWith("text/event-stream");
      if (streaming) return { status, headers, data: response.body };
      const text = await response.text();
      const data: unknown = text && /[/+]json/.test(type) ? JSON.parse(text) : text || undefined;
      if (ok || status === 304) return { status, headers, data };
      throw toAssayError(route, response, data);
    } catch (error) {
      if (controller.signal.aborted) throw controller.signal.reason;
      if (error instanceof AssayError) throw error;
      if (error instanceof SyntaxError) throw unanswered(route, "INVALID_RESPONSE", "The answer is not JSON");
      // ofetch's own error holds the request and with it the credentials; only what it wraps goes on.
      const cause = causeOf(error);
      const { code, message }: { code?: unknown; message?: unknown } = causeOf(cause);
      throw unanswered(route, "NETWORK", `Cannot reach ${new URL(url).origin}: ${code ?? message}`, cause);
    } finally {
      clearTimeout(timer);
      // A stream goes on after its headers, and so does the caller's right to end it.
      if (!streaming) signal?.removeEventListener("abort", abort);
    }
  };
}

/** What an error wraps, or itself; Node hides the reason ("ECONNREFUSED") below "fetch failed". */
function causeOf(error: unknown): object {
  return Object((error instanceof Error && error.cause) || error);
}
