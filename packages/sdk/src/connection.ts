import { checkOptions, FUNCTION, type Kind, readOption } from "./option.ts";
import { readRetryAfter } from "./retry.ts";
import { createTimer } from "./timer.ts";

/** The options of the connection to the server, shared by pollers, event queues and edge handlers. */
export interface ConnectionOptions {
  /** API key, sent as `X-API-Key`. */
  apiKey: string;
  /**
   * Address of the server, with or without `/api/v1`.
   * @default "http://127.0.0.1:4400"
   */
  baseUrl?: string;
  /**
   * Timeout of a request, including its body, in milliseconds.
   * @default 5000
   */
  timeout?: number;
  /** Replaces the global `fetch`. The `fetch` of a server in the same process fits too. */
  fetch?: (request: Request) => Response | Promise<Response>;
  /** Additional headers of every request. */
  headers?: ConstructorParameters<typeof Headers>[0];
}

/** A response of the server, fully read. */
export interface ApiResponse {
  status: number;
  headers: Headers;
  text: string;
}

/** The error of a failed request. It contains no part of the request, so it is safe to log. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
  /** HTTP status; 0 without a response. */
  readonly status: number;
  /** Seconds to wait, as the server requests; at most five minutes. */
  readonly retryAfter: number | undefined;

  /** @param origin the response, or the error if there was none */
  constructor(message: string, origin: Partial<ApiResponse> & ErrorOptions) {
    super(message, origin);
    this.status = origin.status ?? 0;
    this.retryAfter = readRetryAfter(origin.headers);
  }

  /** The API key was rejected: retrying will not help. */
  get fatal(): boolean {
    return this.status === 401 || this.status === 403;
  }
}

/** A request to the server, below `/api/v1`. */
export interface ApiRequest {
  path: string;
  method?: string;
  headers: Record<string, string>;
  body?: string;
  /** Whether the request outlives its page. Browsers limit such bodies to 64 kB in total. */
  keepalive?: boolean;
}

/** Sends requests to the server. */
export interface Connection {
  /** Sends one request and returns the response before its body is read. Rejects as `fetch` does. */
  fetch(request: ApiRequest, signal: AbortSignal): Promise<Response>;
  /** Sends one request; rejects with a {@link ConnectionError}, or with the signal's reason once it aborts. */
  request(request: ApiRequest, signal?: AbortSignal): Promise<ApiResponse>;
}

const POSITIVE: Kind = ["a positive number of ms", (value) => typeof value === "number" && value > 0];

/**
 * Creates a connection: the address, credentials and safeguards that all requests share.
 * @throws OptionError if the API key is missing, `baseUrl` is not an http(s) address, `timeout` is not a positive
 * number, `fetch` is not a function, or a header is not valid in a request.
 */
export function createConnection(options: ConnectionOptions): Connection {
  const { apiKey, baseUrl = "http://127.0.0.1:4400", timeout = 5_000, headers } = options;
  const base = readOption("baseUrl", "an http(s) address", () => {
    const { origin, pathname } = new URL(baseUrl);
    return origin.startsWith("http") && origin + pathname.replace(/(\/api\/v1)?\/*$/, "/api/v1");
  });
  // Headers are trimmed.
  readOption("apiKey", "a header value", () => typeof apiKey === "string" && new Headers({ apiKey }).get("apiKey"));
  readOption("headers", "headers", () => new Headers(headers));
  checkOptions(options, { fetch: FUNCTION, timeout: POSITIVE });

  const fetch: Connection["fetch"] = async ({ path, ...request }, signal) => {
    const init: RequestInit = {
      // A toggle takes effect with the next request: HTTP caches are bypassed.
      cache: "no-cache",
      // Following a redirect would send the API key to its target.
      redirect: "manual",
      ...request,
      headers: { ...Object.fromEntries(new Headers(headers)), ...request.headers, "x-api-key": apiKey },
      signal,
    };
    return options.fetch ? options.fetch(new Request(base + path, init)) : globalThis.fetch(base + path, init);
  };

  return {
    fetch,
    async request(request, signal) {
      // Not `throwIfAborted`, which the jsdom of Jest 29 lacks.
      if (signal?.aborted) throw signal.reason;
      const ending = new AbortController();
      const timer = createTimer();
      try {
        // A fetch that ignores the signal, or a body that never ends, must not block forever.
        return await new Promise<ApiResponse>((resolve, reject) => {
          signal?.addEventListener("abort", reject, { signal: ending.signal });
          timer.set(timeout, () => reject(new Error(`no response within ${timeout} ms`)));
          const read = async () => {
            const response = await fetch(request, ending.signal);
            const { status, headers } = response;
            return { status, headers, text: await response.text() };
          };
          read().then(resolve, reject);
        });
      } catch (cause) {
        if (signal?.aborted) throw signal.reason;
        throw new ConnectionError(`Cannot reach ${base}: ${reasonOf(cause)}`, { cause });
      } finally {
        timer.clear();
        ending.abort();
      }
    },
  };
}

/** Creates the error of an unsuccessful response. */
export function toConnectionError(response: ApiResponse): ConnectionError {
  return new ConnectionError(`The server answered ${response.status}: ${detailOf(response.text)}`, response);
}

/** Returns the server's error message, or else the start of the body. */
function detailOf(text: string): string {
  try {
    // The second form is that of the OpenFeature Remote Evaluation Protocol.
    const { detail, errorDetails = detail } = JSON.parse(text);
    if (typeof errorDetails === "string") return errorDetails;
  } catch {
    // It is not JSON.
  }
  return text.slice(0, 500) || "no body";
}

/** Returns the deepest cause: Node wraps reasons such as "ECONNREFUSED" in other errors. */
function reasonOf(error: unknown): unknown {
  const { cause = error } = Object(error) as { cause?: unknown };
  const { code, message } = Object(cause) as { code?: unknown; message?: unknown };
  return typeof code === "string" ? code : (message ?? cause);
}
