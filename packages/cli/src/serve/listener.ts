import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { failure, reasonOf, usageFailure } from "../failure.ts";

/** A port that is taken, before and while there is someone to answer. */
export interface Listener {
  /** With the port that was really taken. */
  url: string;
  /** Hands requests over; until then they are asked to come again. */
  answerWith(handler: RequestListener): void;
  /** Takes no more connections and resolves when every request under way is answered. */
  drain(): Promise<void>;
}

/** How often connections that have become idle are looked for while draining. */
const SWEEP_MS = 50;

/**
 * Takes the port first, so that nothing is opened or created where it is in use.
 * @throws {CommandFailure} where it cannot be had
 */
export async function listen(port: number, host: string): Promise<Listener> {
  let handler: RequestListener = (_request, response) => response.writeHead(503, { "Retry-After": "1" }).end();
  const server = createServer((request, response) => handler(request, response));
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(toFailure(error, port, host)));
    server.listen(port, host, resolve);
  });
  return {
    url: urlOf(server),
    answerWith(next) {
      handler = next;
    },
    drain: () =>
      new Promise((resolve) => {
        const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
        server.close(() => {
          clearInterval(sweep);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
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
