import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Clock } from "./retry.ts";

/** A request as the server received it. */
export interface Seen {
  method: string;
  /** Below `/api/v1`, still encoded. */
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: string;
}

/** `body` is sent as JSON unless it is a string; `hang` sends nothing, `stall` the headers only. */
export interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
  hang?: true;
  stall?: true;
}

export interface Api extends AsyncDisposable {
  url: string;
  seen: Seen[];
}

/** Starts an HTTP server that answers every request by one function. */
export async function startApi(answer: (seen: Seen, index: number) => Answer | Promise<Answer>): Promise<Api> {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "", "http://api");
    const entry: Seen = {
      method: request.method ?? "",
      path: url.pathname.replace(/^\/api\/v1/, ""),
      query: url.searchParams,
      headers: request.headers,
      body: await text(request),
    };
    const { status = 200, headers = {}, body, hang, stall } = await answer(entry, seen.push(entry) - 1);
    if (hang) return;
    const type = typeof body === "string" ? "text/plain" : "application/json";
    response.writeHead(status, { ...(body === undefined ? {} : { "content-type": type }), ...headers });
    if (stall) return response.write("{");
    response.end(typeof body === "string" || body === undefined ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Returns a clock that never waits, always returns 0.5 as its random number and records the requested delays. */
export function createTestClock(): Clock & { naps: number[] } {
  const naps: number[] = [];
  return {
    naps,
    random: () => 0.5,
    async sleep(milliseconds, signal) {
      naps.push(milliseconds);
      signal?.throwIfAborted();
    },
  };
}
