import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, Server as SocketServer } from "node:net";
import { failure, reasonOf, usageFailure } from "../failure.ts";

/** A bound port, before and after the server is ready. */
export interface Listener {
  /** URL of the server, with the actual port. */
  url: string;
  /** Handles requests from now on. Until then, the listener answers 503 with `Retry-After`. */
  answerWith(handler: RequestListener): void;
  /**
   * Stops accepting connections, finishes the requests in progress, and asks clients to close their connections. After
   * `deadlineMs` it closes the others. Resolves with their number.
   */
  drain(deadlineMs: number): Promise<number>;
}

/** What clients may use up. */
export interface Bounds {
  /** How long the headers of a request (10 seconds at most), and then its body, may take to arrive. */
  requestSeconds: number;
  /** Maximum number of open connections. Further ones are closed at once. */
  maxConnections: number;
}

export const DEFAULT_BOUNDS: Bounds = { requestSeconds: 30, maxConnections: 20_000 };

const MAX_HEADERS_MS = 10_000;
/**
 * How long an idle connection stays open: longer than the 60 seconds of the usual load balancers, so that they close it
 * first. Otherwise, they can send a request to a connection that the server is closing, and answer it with a 502.
 */
const KEEP_ALIVE_MS = 65_000;
/** The server ends a slow body with its own answer. The listener ends it later, if nothing reads the body. */
const BODY_GRACE_MS = 1000;

/** The longest time between two checks for requests that take too long to arrive. */
const CHECK_MS = 1000;
/** How often to check for idle connections while draining. */
const SWEEP_MS = 50;
/** How long an idle connection stays open while draining: its client may have sent a request that has not arrived. */
const LINGER_MS = 500;

/** The names of the settings of a port, for errors. */
export interface PortNames {
  port: string;
  host: string;
}

const NAMES: PortNames = { port: "--port", host: "--host" };

/**
 * Binds the port. Call it before anything is opened or created, which a port in use then prevents. A request that takes
 * too long to arrive gets a 408, and its connection is closed.
 * @throws {CommandFailure} if the port is unavailable
 */
export async function listen(port: number, host: string, bounds = DEFAULT_BOUNDS, names = NAMES): Promise<Listener> {
  let handler: RequestListener = (_request, response) => response.writeHead(503, { "Retry-After": "1" }).end();
  const inFlight = new Set<ServerResponse>();
  let isDraining = false;
  const bodyMs = bounds.requestSeconds * 1000;
  const headersTimeout = Math.min(MAX_HEADERS_MS, bodyMs);
  const limits = {
    headersTimeout,
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: headersTimeout + bodyMs + BODY_GRACE_MS,
    connectionsCheckingInterval: Math.min(CHECK_MS, headersTimeout),
  };
  const server = createServer(limits, (request, response) => {
    inFlight.add(response);
    response.once("close", () => inFlight.delete(response));
    if (isDraining) askToClose(response);
    handler(request, response);
  });
  server.maxConnections = bounds.maxConnections;
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(toFailure(error, port, host, names)));
    server.listen(port, host, resolve);
  });
  return {
    url: urlOf(server),
    answerWith(next) {
      handler = next;
    },
    async drain(deadlineMs) {
      isDraining = true;
      for (const response of inFlight) askToClose(response);
      // http.Server's own close() would close idle connections at once, and lose requests on their way.
      const closed = new Promise((resolve) => SocketServer.prototype.close.call(server, resolve));
      let sweep: ReturnType<typeof setInterval> | undefined;
      let cut = 0;
      const linger = setTimeout(() => {
        sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
      }, LINGER_MS);
      const deadline = setTimeout(async () => {
        cut = await countConnections(server);
        server.closeAllConnections();
      }, deadlineMs);
      await closed;
      clearTimeout(linger);
      clearTimeout(deadline);
      clearInterval(sweep);
      return cut;
    },
  };
}

/** Asks a client to close its connection, if the answer has not begun. */
function askToClose(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader("Connection", "close");
}

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
}

/** Returns the address to open in a browser; an address for all interfaces is shown as 127.0.0.1. */
function urlOf(server: Server): string {
  // A server that listens on a port has one of these.
  const { address, port, family } = server.address() as AddressInfo;
  const host = address === "0.0.0.0" || address === "::" ? "127.0.0.1" : family === "IPv6" ? `[${address}]` : address;
  return `http://${host}:${port}`;
}

function toFailure(error: NodeJS.ErrnoException, port: number, host: string, names: PortNames): Error {
  if (error.code === "EADDRINUSE") {
    return failure(`Port ${port} on ${host} is in use; choose another one with ${names.port}`, error);
  }
  if (error.code === "EACCES")
    return failure(
      `Port ${port} on ${host} is not allowed for this user; choose another one with ${names.port}`,
      error,
    );
  if (error.code === "ENOTFOUND" || error.code === "EADDRNOTAVAIL" || error.code === "EINVAL") {
    return usageFailure(`${names.host} must be an address of this machine, not "${host}"`);
  }
  return failure(`Cannot listen on ${host}:${port}: ${reasonOf(error)}`, error);
}
