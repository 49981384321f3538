import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Definitions, FlagDefinition } from "@assay/core";
import { NO_DEFINITIONS } from "./definition-format.ts";
import type { TrackingEvent } from "./event-box.ts";

/** A flag that is on for everyone, with other settings on top. */
export function toFlag(key: string, settings: Partial<FlagDefinition> = {}): FlagDefinition {
  return { key, enabled: true, rollout_percentage: 100, variants: [], rules: [], ...settings };
}

/** Definitions with these flags and nothing else; the key of a flag is "f" by default. */
export function toDefinitions(...flags: Partial<FlagDefinition>[]): Definitions {
  return { ...NO_DEFINITIONS, flags: flags.map((flag) => toFlag("f", flag)) };
}

/** A fake server's answer: a response, an error to fail with, or never. */
export type FakeAnswer = Response | Error | "never";

export interface FakeServer {
  fetch: (request: Request) => Promise<Response>;
  requests: { method: string; path: string; headers: Headers; text: string }[];
}

/** A server as a `fetch` function, which answers each request by its index. */
export function createFakeServer(answer: (index: number) => FakeAnswer | Promise<FakeAnswer>): FakeServer {
  const requests: FakeServer["requests"] = [];
  return {
    requests,
    async fetch(request) {
      const { method, headers, signal } = request;
      const text = await request.text();
      const outcome = await answer(requests.push({ method, path: new URL(request.url).pathname, headers, text }) - 1);
      if (outcome instanceof Error) throw outcome;
      if (outcome !== "never") return outcome;
      return new Promise((_, reject) => {
        if (signal.aborted) reject(signal.reason);
        signal.addEventListener("abort", () => reject(signal.reason));
      });
    },
  };
}

/** A request as a server on loopback received it, and the status of the response; 0 until there is one. */
export interface ReceivedRequest {
  /** Without `/api/v1`. */
  path: string;
  headers: IncomingMessage["headers"];
  body: string;
  status: number;
}

/** A server on loopback, for which a `fetch` function answers. */
export interface LoopbackServer extends AsyncDisposable {
  url: string;
  received: ReceivedRequest[];
  /** Statuses of the responses to a path. */
  statuses(path: string): number[];
  /** If set, handles a request first: returns a status to answer with, or a promise to wait for. */
  gate: ((request: ReceivedRequest) => number | Promise<unknown> | undefined) | undefined;
  /** Rejects new connections, and closes the open ones. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
}

/** Starts a server on loopback. */
export async function listen(fetch: (request: Request) => Response | Promise<Response>): Promise<LoopbackServer> {
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const { method = "GET", url = "/" } = request;
    const received = { path: url.replace("/api/v1", ""), headers: request.headers, body: body.toString(), status: 0 };
    server.received.push(received);
    const verdict = await server.gate?.(received);
    const init = { method, headers: request.headers as Record<string, string> };
    const reply =
      typeof verdict === "number"
        ? Response.json({ detail: "The test decided" }, { status: verdict })
        : await fetch(new Request(server.url + url, body.length > 0 ? { ...init, body } : init));
    received.status = reply.status;
    response.writeHead(reply.status, Object.fromEntries(reply.headers));
    for await (const chunk of reply.body ?? []) if (!response.destroyed) response.write(chunk);
    response.end();
  }

  const http = createServer((request, response) => {
    // The client has disconnected.
    answer(request, response).catch(() => response.destroy());
  });
  async function open(port: number): Promise<number> {
    http.listen(port, "127.0.0.1");
    await once(http, "listening");
    return (http.address() as AddressInfo).port;
  }
  const port = await open(0);
  const server: LoopbackServer = {
    url: `http://127.0.0.1:${port}`,
    received: [],
    statuses: (path) => server.received.filter((request) => request.path === path).map(({ status }) => status),
    gate: undefined,
    async goAway() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
    async comeBack() {
      await open(port);
    },
    async [Symbol.asyncDispose]() {
      if (http.listening) await server.goAway();
    },
  };
  return server;
}

/** The key that a flag server accepts. */
export const KEY = "asy_test_key";

/** Faults of a flag server. */
export type Fault = "error" | "garbage" | "later format" | "hang" | "rejected";

export interface FlagServer extends LoopbackServer {
  definitions: Definitions;
  /** If set, decides every request for definitions. */
  fault: Fault | undefined;
  /** If set, requests for definitions wait for it. */
  held: Promise<void> | undefined;
  /** Status of every response to a request for definitions. */
  answers: number[];
  events: TrackingEvent[];
}

/** Starts a fake server with `GET /openfeature/flags` and `POST /tracking/events` of the contract. */
export async function startFlagServer(...flags: Partial<FlagDefinition>[]): Promise<FlagServer> {
  const loopback = await listen(async (request) => {
    if (request.headers.get("x-api-key") !== KEY) return Response.json({ detail: "Invalid API key" }, { status: 401 });
    if (request.method === "POST" && request.url.endsWith("/api/v1/tracking/events")) {
      const { events } = (await request.json()) as { events: TrackingEvent[] };
      server.events.push(...events);
      return Response.json({ accepted: events.length, duplicates: 0, rejected: 0, errors: [] }, { status: 201 });
    }
    await server.held;
    if (server.fault === "hang") return new Promise(() => {});
    const response = respond(server, request.headers.get("if-none-match"));
    server.answers.push(response.status);
    return response;
  });
  const server: FlagServer = Object.assign(loopback, {
    definitions: toDefinitions(...flags),
    fault: undefined,
    held: undefined,
    answers: [],
    events: [],
  });
  return server;
}

function respond({ fault, definitions }: FlagServer, ifNoneMatch: string | null): Response {
  const etag = `"${JSON.stringify(definitions).length}-${definitions.flags[0]?.version}"`;
  const headers = { etag };
  if (fault === "error") return Response.json({ detail: "Internal server error" }, { status: 500, headers });
  if (fault === "rejected") return Response.json({ detail: "Invalid API key" }, { status: 401, headers });
  if (fault === "garbage") return new Response("<html>Welcome</html>", { headers });
  if (fault === "later format") return Response.json({ ...definitions, schema_version: 99 }, { headers });
  return ifNoneMatch === etag ? new Response(null, { status: 304, headers }) : Response.json(definitions, { headers });
}
