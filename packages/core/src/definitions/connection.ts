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
  headers?: Record<string, string>;
}

/** An option that is missing or not of its kind. */
export class OptionError extends TypeError {
  override readonly name = "OptionError";
  /** Name of the option. */
  readonly option: string;

  constructor(option: string, expected: string) {
    super(`${option} must be ${expected}`);
    this.option = option;
  }
}

/** What `read` makes of an option. @throws OptionError where it throws */
export function readOption<T>(option: string, expected: string, read: () => T): T {
  try {
    return read();
  } catch {
    throw new OptionError(option, expected);
  }
}

/** An answer, read to its end. */
export interface Answer {
  status: number;
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
  if (typeof apiKey !== "string" || apiKey.trim() === "") throw new OptionError("apiKey", "a non-empty string");
  const base = toBaseUrl(baseUrl);
  if (fetch !== undefined && typeof fetch !== "function") throw new OptionError("fetch", "a function");
  readOption("apiKey", "what a header can hold", () => new Headers({ key: apiKey }));
  readOption("headers", "names and values of headers", () => new Headers(headers));
  return async (path, init) => {
    const url = base + path;
    const request: RequestInit = {
      // A toggle shows with the next request: no HTTP cache answers for the server.
      cache: "no-cache",
      // Followed, it would carry the API key to wherever it points.
      redirect: "manual",
      ...init,
      headers: { ...headers, ...init.headers, "x-api-key": apiKey },
    };
    return fetch ? fetch(new Request(url, request)) : globalThis.fetch(url, request);
  };
}

/**
 * Creates a connection.
 * @throws OptionError where the API key is missing, `baseUrl` is no http(s) address or `timeout` no positive number.
 */
export function createConnection(options: ConnectionOptions): Connection {
  const { timeout = 5_000 } = options;
  const exchange = createExchange(options);
  if (typeof timeout !== "number" || !(timeout > 0)) throw new OptionError("timeout", "a positive number of ms");

  return async (path, { signal, ...init }) => {
    signal.throwIfAborted();
    const controller = new AbortController();
    const abort = () => controller.abort(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    const timer = setTimeout(() => controller.abort(), Math.min(timeout, 2 ** 31 - 1));
    const receive = async (): Promise<Answer> => {
      const response = await exchange(path, { ...init, signal: controller.signal });
      return { status: response.status, headers: response.headers, text: await response.text() };
    };
    // A fetch that does not hear the signal, or a body that never ends nor fails, must not hold anything up for ever.
    const givenUp = new Promise<never>((_, reject) => {
      controller.signal.addEventListener("abort", () => reject(controller.signal.reason), { once: true });
    });
    try {
      return await Promise.race([receive(), givenUp]);
    } catch (error) {
      signal.throwIfAborted();
      const reason = controller.signal.aborted ? `no answer within ${timeout} ms` : reasonOf(error);
      throw new ConnectionError(`Cannot reach ${toBaseUrl(options.baseUrl)}: ${reason}`, 0, undefined, {
        cause: error,
      });
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
    }
  };
}

/** The error of an answer that is no success. */
export function toConnectionError({ status, headers, text }: Answer): ConnectionError {
  const retryAfter = Number.parseInt(headers.get("retry-after") ?? "", 10);
  return new ConnectionError(
    `The server answered ${status}: ${detailOf(text)}`,
    status,
    retryAfter >= 0 ? retryAfter : undefined,
  );
}

function toBaseUrl(base = "http://127.0.0.1:4400"): string {
  const url = URL.canParse(base) ? new URL(base) : undefined;
  if (!url?.origin.startsWith("http")) throw new OptionError("baseUrl", "an http(s) address");
  return url.origin + url.pathname.replace(/(\/api\/v1)?\/*$/, "/api/v1");
}

function detailOf(text: string): string {
  try {
    // The second is how the OpenFeature Remote Evaluation Protocol says it.
    const { detail, errorDetails } = Object(JSON.parse(text)) as { detail?: unknown; errorDetails?: unknown };
    const said = detail ?? errorDetails ?? text.slice(0, 200);
    return typeof said === "string" ? said : JSON.stringify(said);
  } catch {
    return text.slice(0, 200) || "no body";
  }
}

/** Node hides the reason ("ECONNREFUSED") one cause further down. */
function reasonOf(error: unknown): string {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(inner instanceof Error)) return String(inner);
  return "code" in inner && typeof inner.code === "string" ? inner.code : inner.message;
}
