import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Socket, type Server as TcpServer } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { createRuntime } from "../ground/runtime.ts";
import { MAX_ANSWER_BYTES } from "./exchange.ts";
import { createOutbound, type OutboundRequest } from "./outbound.ts";

type Listener = (request: IncomingMessage & { text: string }, response: ServerResponse) => void;

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

const LOOPBACK = ["127.0.0.1/32"];
const make = (
  allowPrivateNetworks: boolean | string[] = LOOPBACK,
  lookup?: Parameters<typeof createOutbound>[0]["lookup"],
) => createOutbound({ runtime: createRuntime(), allowPrivateNetworks, ...(lookup ? { lookup } : {}) });
const send = (url: string, request?: OutboundRequest) => make().send(url, request);

/** Listens on a free port and returns its address. */
async function listenOn(server: Server | TcpServer, host: string): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return `http://${host}:${(server.address() as AddressInfo).port}`;
}

async function serve(listener: Listener, host = "127.0.0.1") {
  const requests: (Pick<IncomingMessage, "method" | "url" | "headers"> & { text: string })[] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const seen = Object.assign(request, { text });
    requests.push(seen);
    listener(seen, response);
  });
  const url = await listenOn(server, host);
  closing.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url, requests };
}

/** Starts a raw TCP server for responses that no HTTP server would send. */
async function serveRaw(onData: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket.on("error", () => {}));
    socket.once("data", () => onData(socket));
  });
  const url = await listenOn(server, "127.0.0.1");
  closing.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url };
}

const reasonOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "answered",
    (error: { reason: string }) => error.reason,
  );

test("sends method, headers and body, and returns status, headers and text for any status", async () => {
  const { url, requests } = await serve((_, response) => {
    response.writeHead(418, { "x-two": ["a", "b"] }).end("grün");
  });
  const answer = await send(`${url}/a?b=c#d`, { method: "POST", headers: { "X-One": "1" }, body: "ü" });
  expect(answer).toMatchObject({ status: 418, text: "grün", headers: { "x-two": "a, b" } });
  expect(requests).toMatchObject([{ method: "POST", url: "/a?b=c", text: "ü", headers: { "x-one": "1" } }]);
});

test.each([
  "ftp://host/",
  "file:///etc/passwd",
  "gopher://host/",
  "//host",
  "",
  "http://",
  "http://user@host/",
  "http://:pw@host/",
  "http://[fe80::1%25eth0]/",
  "http://[::1%lo]/",
  "javascript:alert(1)",
])("rejects the address %j", async (url) => {
  expect(await reasonOf(send(url))).toBe("BAD_URL");
});

test("blocks a name that resolves to an internal address", async () => {
  const { url, requests } = await serve((_, response) => response.end());
  const { port } = new URL(url);
  expect(await reasonOf(make(false).send(`http://localhost:${port}/`))).toBe("BLOCKED_ADDRESS");
  expect(await reasonOf(make(false).send(url))).toBe("BLOCKED_ADDRESS");
  expect(requests).toEqual([]);
  expect((await make(true).send(`http://localhost:${port}/`)).status).toBe(200);
});

test("connects to the checked address if a name resolves differently the second time", async () => {
  const { url, requests } = await serve((_, response) => response.end());
  const lookup = vi.fn();
  const outbound = make(false, (hostname, _options, callback) => {
    lookup(hostname);
    // The first lookup returns a public address. A guard with its own lookup would connect to the second.
    const address = lookup.mock.calls.length % 2 === 1 ? "127.0.0.1" : "8.8.8.8";
    callback(null, [{ address, family: 4 }]);
  });
  expect(await reasonOf(outbound.send(`http://rebinding.example:${new URL(url).port}/`))).toBe("BLOCKED_ADDRESS");
  expect([lookup.mock.calls, requests]).toEqual([[["rebinding.example"]], []]);
});

test("connects only to the allowed addresses of a name", async () => {
  const { url, requests } = await serve((_, response) => response.end());
  const outbound = make(LOOPBACK, (_hostname, _options, callback) =>
    callback(null, [
      { address: "10.0.0.1", family: 4 },
      { address: "::1", family: 6 },
      { address: "127.0.0.1", family: 4 },
    ]),
  );
  expect((await outbound.send(`http://several.example:${new URL(url).port}/`)).status).toBe(200);
  expect(requests).toHaveLength(1);
});

test("follows at most three redirects", async () => {
  const { url } = await serve((request, response) => {
    const left = Number(request.url!.slice(1));
    if (left === 0) response.end("there");
    else response.writeHead(307, { location: `/${left - 1}` }).end();
  });
  expect((await send(`${url}/3`)).text).toBe("there");
  expect(await reasonOf(send(`${url}/4`))).toBe("REFUSED_REDIRECT");
});

test.each([
  "http://127.0.0.2:9/",
  "http://[::1]:9/",
  "http://2130706434/",
  "http://169.254.169.254/latest/",
  "http://0.0.0.0/",
])("does not follow a redirect to %s", async (location) => {
  const { url } = await serve((_, response) => response.writeHead(302, { location }).end());
  expect(await reasonOf(send(url))).toBe("BLOCKED_ADDRESS");
});

test("does not follow a redirect to another protocol", async () => {
  const { url } = await serve((_, response) => response.writeHead(302, { location: "file:///etc/passwd" }).end());
  expect(await reasonOf(send(url))).toBe("BAD_URL");
});

test("does not send credentials or a body to another origin", async () => {
  const other = await serve((_, response) => response.end("other"));
  const { url, requests } = await serve((request, response) => {
    response.writeHead(request.url === "/own" ? 307 : request.url === "/end" ? 200 : 302, {
      location: request.url === "/own" ? "/end" : other.url,
    });
    response.end();
  });
  const headers = { Authorization: "Bearer secret", Cookie: "a=b", "X-Api-Key": "secret", Accept: "text/plain" };
  await send(`${url}/own`, { headers });
  expect(requests.at(-1)).toMatchObject({ url: "/end", headers: { authorization: "Bearer secret" } });
  await send(url, { headers });
  const [redirected] = other.requests;
  expect(redirected?.headers).toMatchObject({ accept: "text/plain" });
  for (const name of ["authorization", "cookie", "x-api-key"]) expect(redirected?.headers).not.toHaveProperty(name);
  expect(await reasonOf(send(url, { method: "PUT", headers, body: "client_secret=s" }))).toBe("REFUSED_REDIRECT");
  await send(url, { method: "POST", headers: { ...headers, "Content-Type": "text/plain" }, body: "client_secret=s" });
  expect(other.requests.map(({ method, text }) => [method, text])).toEqual([
    ["GET", ""],
    ["GET", ""],
  ]);
});

test("aborts a response that is missing, stops or trickles in time", async () => {
  const { url } = await serve((request, response) => {
    if (request.url === "/headers") response.writeHead(200).write("half");
    if (request.url !== "/trickle") return;
    const timer = setInterval(() => response.write("."), 5);
    response.on("close", () => clearInterval(timer));
  });
  for (const path of ["/nothing", "/headers", "/trickle"]) {
    expect([path, await reasonOf(send(url + path, { timeoutMs: 60 }))]).toEqual([path, "TIMEOUT"]);
  }
  const giveUp = new AbortController();
  const pending = reasonOf(send(`${url}/nothing`, { signal: giveUp.signal }));
  giveUp.abort();
  expect(await pending).toBe("ABORTED");
});

test("reads a response up to its limit, with or without a declared length", async () => {
  let sent = 0;
  const { url } = await serve((request, response) => {
    if (request.url === "/full") return void response.end("x".repeat(MAX_ANSWER_BYTES));
    if (request.url === "/declared") return void response.end("x".repeat(MAX_ANSWER_BYTES + 1));
    const more = () => {
      while (!response.destroyed && sent < 100 * MAX_ANSWER_BYTES) {
        sent += 65_536;
        if (!response.write("x".repeat(65_536))) return void response.once("drain", more);
      }
    };
    more();
  });
  expect((await send(`${url}/full`)).text).toHaveLength(MAX_ANSWER_BYTES);
  expect(await reasonOf(send(`${url}/declared`))).toBe("TOO_LARGE");
  expect(await reasonOf(send(`${url}/endless`))).toBe("TOO_LARGE");
  expect(sent).toBeLessThan(20 * MAX_ANSWER_BYTES);
});

test("reports a response that is not valid HTTP", async () => {
  const garbage = await serveRaw((socket) => socket.end("SSH-2.0-OpenSSH_9.6\r\n\r\n"));
  const headers = await serveRaw((socket) => socket.end(`HTTP/1.1 200 OK\r\nx: ${"a".repeat(20_000)}\r\n\r\n`));
  const reset = await serveRaw((socket) => socket.resetAndDestroy());
  const short = await serveRaw((socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf"));
  const packed = await serve((_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end("x"));
  expect(await reasonOf(send(garbage.url))).toBe("BAD_RESPONSE");
  expect(await reasonOf(send(packed.url))).toBe("BAD_RESPONSE");
  expect(await reasonOf(send(headers.url))).toBe("TOO_LARGE");
  expect(await reasonOf(send(reset.url, { retries: 0 }))).toBe("CONNECTION");
  expect(await reasonOf(send(short.url, { retries: 0 }))).toBe("CONNECTION");
  const plain = await serve((_, response) => response.end());
  expect(await reasonOf(send(plain.url.replace("http:", "https:"), { retries: 0 }))).toMatch(/TLS|CONNECTION/);
});

test("retries a temporary failure if the method or the caller allows it", async () => {
  let failures = 2;
  const { url, requests } = await serve((_, response) => {
    response.writeHead(failures-- > 0 ? 503 : 200, { "retry-after": "0" }).end();
  });
  expect((await send(url)).status).toBe(200);
  expect(requests).toHaveLength(3);
  failures = 2;
  expect((await send(url, { method: "POST", body: "x" })).status).toBe(503);
  expect((await send(url, { method: "POST", body: "x", retries: 1 })).status).toBe(200);
  expect(requests).toHaveLength(6);
});

test("does not wait longer than the remaining time", async () => {
  const { url, requests } = await serve((_, response) => response.writeHead(429, { "retry-after": "3600" }).end());
  const answer = await send(url);
  expect([answer.status, answer.headers["retry-after"], requests.length]).toEqual([429, "3600", 1]);
});

test("pauses requests to an origin after consecutive failures", async () => {
  let now = 1_000_000;
  let isWell = false;
  const { url, requests } = await serve((_, response) => response.writeHead(isWell ? 200 : 500).end());
  const outbound = createOutbound({ runtime: createRuntime({ now: () => now }), allowPrivateNetworks: LOOPBACK });
  for (let time = 0; time < 5; time++) await outbound.send(url);
  expect(await reasonOf(outbound.send(url))).toBe("CIRCUIT_OPEN");
  expect(requests).toHaveLength(5);
  isWell = true;
  now += 30_000;
  expect((await outbound.send(url)).status).toBe(200);
  expect((await outbound.send(url)).status).toBe(200);
});

test("error messages contain neither the address nor the request", async () => {
  const { url } = await serve((_, response) => response.destroy());
  const secret = "hush-hush";
  const address = `${url}/${secret}?token=${secret}`;
  const request = { method: "POST", headers: { authorization: secret }, body: secret };
  const error = await send(address, request).catch((caught: Error) => caught);
  const blocked = await make(false)
    .send(address, request)
    .catch((caught: Error) => caught);
  for (const text of [error, blocked].map((one) => JSON.stringify(one, Object.getOwnPropertyNames(one)))) {
    expect(text).toContain("OutboundError");
    expect(text).not.toContain(secret);
  }
});
