import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

type Answer = { status: number; headers: Record<string, string>; body: Buffer };
type Injury = (response: ServerResponse, good: Answer) => void;

const say =
  (status: number, headers: Record<string, string>, body: string | Buffer): Injury =>
  (response) =>
    void response.writeHead(status, headers).end(body);
const json = { "content-type": "application/json" };

/** All faults between a provider and its server. The server completes its work before each fault. */
export const FAULTS = {
  "server error": say(500, json, "{}"),
  "bad gateway": say(502, { "content-type": "text/html" }, "<h1>Bad gateway</h1>"),
  "unavailable for a second": say(503, { "retry-after": "1" }, ""),
  "rate limit for a second": say(429, { ...json, "retry-after": "1" }, '{"detail":"Rate limit exceeded"}'),
  "hang before the headers": () => {},
  "hang in the body": (response, { headers, body }) =>
    void response.writeHead(200, headers).write(body.subarray(0, body.length / 2)),
  "half a body": (response, { headers, body }) => {
    response.writeHead(200, { ...headers, "content-length": String(body.length) });
    response.write(body.subarray(0, body.length / 2), () => response.destroy());
  },
  "half a body, ended": (response, { headers, body }) =>
    void response.writeHead(200, headers).end(body.subarray(0, body.length / 2)),
  reset: (response) => void response.socket?.resetAndDestroy(),
  "garbage as JSON": say(200, json, Buffer.from([0, 255, 254, 123, 34, 128])),
  "a page with status 200": say(200, { "content-type": "text/html" }, "<html>Sign in to the network</html>"),
  "nothing with status 200": say(200, json, ""),
  "another JSON": say(200, json, "[1,null]"),
  // A body without a format version becomes JSON of another kind.
  "a later format": (response, { body }) =>
    void response.writeHead(200, json).end(body.includes("schema_version") ? '{"schema_version":99,"flags":[]}' : "7"),
  "flags that are none": say(200, json, '{"flags":[null,7]}'),
  "a body of 8 MB": say(200, json, Buffer.alloc(8_000_000, " ")),
  "a wrong encoding": say(200, { ...json, "content-encoding": "gzip" }, "{}"),
  "a redirect": say(302, { location: "http://127.0.0.1:9/" }, ""),
  "an unasked 304": (response, { status, headers, body }) =>
    status === 304 ? void response.writeHead(200, headers).end(body) : void response.writeHead(304).end(),
} satisfies Record<string, Injury>;

export type Fault = keyof typeof FAULTS;

export interface FaultyProxy {
  readonly url: string;
  /** The fault of every request; undefined for none. */
  fault: Fault | undefined;
  /** The number of requests that met a fault. */
  readonly injured: number;
  close(): Promise<void>;
}

/** Starts a proxy with configurable faults in front of a server. */
export async function startProxy(origin: string): Promise<FaultyProxy> {
  const http = createServer(async (request, response) => {
    response.on("error", () => {});
    const { fault } = proxy;
    const good = await forward(origin, request).catch(() => undefined);
    if (!good) return void response.destroy();
    if (fault === undefined) return void response.writeHead(good.status, good.headers).end(good.body);
    proxy.injured++;
    FAULTS[fault](response, good);
  }).listen(0, "127.0.0.1");
  await once(http, "listening");
  const proxy = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    fault: undefined as Fault | undefined,
    injured: 0,
    async close() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  return proxy;
}

async function forward(origin: string, request: IncomingMessage): Promise<Answer> {
  const { host: _host, connection: _connection, "content-length": _length, ...headers } = request.headers;
  const body = await buffer(request);
  const init = { method: request.method, headers: headers as Record<string, string>, body: body.length ? body : null };
  const response = await fetch(origin + request.url, init);
  const passed = ["content-type", "etag", "retry-after"].flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  return {
    status: response.status,
    headers: Object.fromEntries(passed),
    body: Buffer.from(await response.arrayBuffer()),
  };
}
