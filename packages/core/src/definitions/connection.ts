import { LONGEST_DELAY } from "./delay.ts";
import { readOption, requireOption } from "./option.ts";

/** How the sources and queues of this folder reach the server. */
export interface ConnectionOptions {
  /** Sent as `X-API-Key`. */
  apiKey: string;
  /**
   * The server's address, with or without `/api/v1`.
   * @default "http://127.0.0.1:4400"
   */
  baseUrl?: string;
  /**
   * Milliseconds for one request, its body included.
   * @default 5000
   */
  timeout?: number;
  /** Used instead of the global `fetch`; the `fetch` of a server in the same process works too. */
  fetch?: (request: Request) => Response | Promise<Response>;
  /** Sent with every request. */
  headers?: ConstructorParameters<typeof Headers>[0];
}

/** An answer, read to its end. */
export interface Answer {
  status: number;
  /** The status is one of success. */
  ok: boolean;
  headers: Headers;
  text: string;
}

/** A request that did not do what it should; it holds nothing of the request, so it may be logged whole. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
  /** HTTP status, 0 where no answer came. */
  readonly status: number;
  /** Seconds the server asks to wait. */
  readonly retryAfter: number | undefined;

  constructor(message: string, status = 0, retryAfter?: number, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
    this.retryAfter = retryAfter;
  }

  /** The key was rejected: asking again will not help. */
  get fatal(): boolean {
    return this.status === 401 || this.status === 403;
  }
}

/** Sends one request; rejects with a {@link ConnectionError}, or with the signal's reason once it aborts. */
export type Connection = (path: string, request: Outgoing) => Promise<Answer>;

export interface Outgoing {
  method?: string;
  headers: Record<string, string>;
  body?: string;
  /** The request outlives the page it was made on; browsers allow such bodies 64 kB in all. */
  keepalive?: boolean;
  signal: AbortSignal;
}

/** Sends one request and hands its answer on unread; rejects as `fetch` does. */
export type Exchange = (path: string, request: Outgoing) => Promise<Response>;

/**
 * Creates an exchange: the address, the credentials and the caution that every request shares.
 * @throws OptionError where the API key is missing, `baseUrl` is no http(s) address, `fetch` no function, or where a
 * request cannot have the headers.
 */
export function createExchange({ apiKey, baseUrl, fetch, headers }: ConnectionOptions): Exchange {
  requireOption(typeof apiKey === "string" && apiKey.trim() !== "", "apiKey", "a non-empty string");
  const base = toBaseUrl(baseUrl);
  requireOption(fetch === undefined || typeof fetch === "function", "fetch", "a function");
  readOption("apiKey", "what a header can hold", () => new Headers({ key: apiKey }));
  readOption("headers", "names and values of headers", () => new Headers(headers));
  return async (path, request) => {
    const all = new Headers(headers);
    for (const [name, value] of Object.entries({ ...request.headers, "x-api-key": apiKey })) all.set(name, value);
    const init: RequestInit = {
      // A toggle shows with the next request: no HTTP cache answers for the server.
      cache: "no-cache",
      // Followed, it would carry the API key to wherever it points.
      redirect: "manual",
      ...request,
      headers: all,
    };
    return fetch ? fetch(new Request(base + path, init)) : globalThis.fetch(base + path, init);
  };
}

/**
 * Creates a connection.
 * @throws OptionError where the API key is missing, `baseUrl` is no http(s) address or `timeout` no positive number.
 */
export function createConnection(options: ConnectionOptions): Connection {
  const { timeout = 5_000 } = options;
  const exchange = createExchange(options);
  requireOption(typeof timeout === "number" && timeout > 0, "timeout", "a positive number of ms");

  return async (path, { signal, ...request }) => {
    signal.throwIfAborted();
    const ending = new AbortController();
    const receive = async (): Promise<Answer> => {
      const response = await exchange(path, { ...request, signal: ending.signal });
      const { status, ok, headers } = response;
      return { status, ok, headers, text: await response.text() };
    };
    // A fetch that does not hear the signal, or a body that never ends nor fails, must not hold anything up for ever.
    let timer: ReturnType<typeof setTimeout> | undefined;
    const givenUp = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", reject, { signal: ending.signal });
      const giveUp = () => reject(new Error(`no answer within ${timeout} ms`));
      timer = setTimeout(giveUp, Math.min(timeout, LONGEST_DELAY));
    });
    try {
      return await Promise.race([receive(), givenUp]);
    } catch (error) {
      signal.throwIfAborted();
      throw new ConnectionError(`Cannot reach ${toBaseUrl(options.baseUrl)}: ${reasonOf(error)}`, 0, undefined, {
        cause: error,
      });
    } finally {
      clearTimeout(timer);
      ending.abort();
    }
  };
}

/** The error of an answer that is no success. */
export function toConnectionError({ status, headers, text }: Answer): ConnectionError {
  return new ConnectionError(
    `The server answered ${status}: ${detailOf(text)}`,
    status,
    Number(headers.get("retry-after")) || undefined,
  );
}

function toBaseUrl(base = "http://127.0.0.1:4400"): string {
  const expected = "an http(s) address";
  const { origin, pathname } = readOption("baseUrl", expected, () => new URL(base));
  requireOption(origin.startsWith("http"), "baseUrl", expected);
  return origin + pathname.replace(/(\/api\/v1)?\/*$/, "/api/v1");
}

/** What the server says is wrong, or how its answer begins. */
function detailOf(text: string): string {
  const beginning = text.slice(0, 200) || "no body";
  try {
    // The second is how the OpenFeature Remote Evaluation Protocol says it.
    const { detail, errorDetails } = Object(JSON.parse(text)) as { detail?: unknown; errorDetails?: unknown };
    const said = detail ?? errorDetails ?? beginning;
    return typeof said === "string" ? said : JSON.stringify(said);
  } catch {
    return beginning;
  }
}

/** Node hides the reason ("ECONNREFUSED") one cause further down. */
function reasonOf(error: unknown): unknown {
  const { cause = error } = Object(error) as { cause?: unknown };
  const { code, message } = Object(cause) as { code?: unknown; message?: unknown };
  return typeof code === "string" ? code : (message ?? cause);
}
