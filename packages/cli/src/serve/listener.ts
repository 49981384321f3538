import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, Server as SocketServer } from "node:net";
import { failure, reasonOf, usageFailure } from "../failure.ts";

/** A port that is taken, before and while there is someone to answer. */
export interface Listener {
  /** With the port that was really taken. */
  url: string;
  /** Hands requests over; until then they are asked to come again. */
  answerWith(handler: RequestListener): void;
  /**
   * Takes no more connections, answers the requests in flight, and asks clients to close theirs. After `deadlineMs` it cuts
   * what is left. Resolves with the number of connections that were cut.
   */
  drain(deadlineMs: number): Promise<number>;
}

/** How often connections that have become idle are looked for while draining. */
const SWEEP_MS = 50;
/** How long an idle connection stays open while draining: its client may have sent a request that is not here yet. */
const LINGER_MS = 500;

/**
 * Takes the port first, so that nothing is opened or created where it is in use.
 * @throws {CommandFailure} where it cannot be had
 */
export async function listen(port: number, host: string): Promise<Listener> {
  let handler: RequestListener = (_request, response) => response.writeHead(503, { "Retry-After": "1" }).end();
  const inFlight = new Set<ServerResponse>();
  let isDraining = false;
  const server = createServer((request, response) => {
    inFlight.add(response);
    response.once("close", () => inFlight.delete(response));
    if (isDraining) askToClose(response);
    handler(request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(toFailure(error, port, host)));
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
      // http.Server's own close() would cut idle connections at once, and with them requests that are on their way.
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

/** Tells a client to use its connection for nothing more, where the answer has not begun. */
function askToClose(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader("Connection", "close");
}

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
}

/** The address a person can open; one that means every interface is shown as this machine's own. */
function urlOf(server: Server): string {
  // A server that listens on a port has one of these.
  const { address, port, family } = server.address() as AddressInfo;
  const host = address === "0.0.0.0" || address === "::" ? "127.0.0.1" : family === "IPv6" ? `[${address}]` : address;
  return `http://${host}:${port}`;
}

function toFailure(error: NodeJS.ErrnoException, port: number, host: string): Error {
  if (error.code === "EADDRINUSE") {
    return failure(`Port ${port} on ${host} is in use; choose another one with --port`, error);
  }
  if (error.code === "EACCES") return failure(`Port ${port} on ${host} may not be used by this user`, error);
  if (error.code === "ENOTFOUND" || error.code === "EADDRNOTAVAIL" || error.code === "EINVAL") {
    return usageFailure(`--host must be an address of this machine, not "${host}"`);
  }
  return failure(`Cannot listen on ${host}:${port}: ${reasonOf(error)}`, error);
}
