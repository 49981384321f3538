import { once } from "node:events";
import { request as ask, createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { H3, serve } from "h3-v2";
import { NodeRequest } from "srvx/node";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { listen } from "../listening.fixture.ts";
import { chunkOf, rawClient } from "../raw-client.fixture.ts";
import { createTestServer, type TestServer } from "../testing.fixture.ts";
import { MAX_BODY_BYTES } from "./body-size.ts";

const logger = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
let server: TestServer;
let key: string;
let http: Awaited<ReturnType<typeof listen>>;
const opened: { close(): unknown }[] = [];

beforeAll(async () => {
  server = await createTestServer({ logger });
  key = (await server.withKey(["read", "write", "admin"])).key;
  http = await listen(server.assay);
});
beforeEach(() => logger.error.mockClear());
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
  expect(logger.error).not.toHaveBeenCalled();
});
afterAll(async () => {
  await http.close();
  await server.assay.close();
});

const PATH = "/api/v1/feature-flags/";
const head = (...lines: string[]) =>
  [`POST ${PATH} HTTP/1.1`, "Host: x", `X-API-Key: ${key}`, "Content-Type: application/json", ...lines, "", ""].join(
    "\r\n",
  );
const CHUNKED = "Transfer-Encoding: chunked";
const flag = (name: string, bytes = 0) => JSON.stringify({ key: name, name: `Straße ${name}` }).padEnd(bytes);
const sized = (name: string, bytes: number) => flag(name, bytes - Buffer.byteLength(flag(name)) + flag(name).length);
const namesOf = async () => (await server.admin.request("GET /feature-flags/")).map(({ key }) => key);

/** Serves a listener on its own port. */
async function host(listener: Parameters<typeof createServer>[1]): Promise<string> {
  const made = createServer(listener).listen(0, "127.0.0.1");
  await once(made, "listening");
  opened.push({ close: () => made.closeAllConnections() ?? made.close() });
  return `http://127.0.0.1:${(made.address() as AddressInfo).port}`;
}

const post = (url: string, body: BodyInit, headers: Record<string, string> = {}) =>
  fetch(url + PATH, {
    method: "POST",
    body,
    headers: { "x-api-key": key, "content-type": "application/json", ...headers },
    duplex: "half",
  } as RequestInit);
const streamOf = (...parts: string[]) =>
  new Blob(parts).stream().pipeThrough(new TransformStream<Uint8Array, Uint8Array>());

describe("over node:http", () => {
  test("reads a body byte by byte, with a character cut in half", async () => {
    const client = await rawClient(http.url);
    await client.send(head(CHUNKED));
    for (const byte of Buffer.from(flag("dribbled"))) await client.send(chunkOf(Buffer.from([byte])));
    await client.send("0\r\n\r\n");
    await client.match(/^HTTP\/1\.1 201 [\s\S]*"name":"Straße dribbled"/);
    client.socket.destroy();
  });

  test("reads a body that comes long after its headers, in two halves", async () => {
    const body = Buffer.from(flag("late"));
    const client = await rawClient(http.url);
    for (const part of [head(`Content-Length: ${body.byteLength}`), body.subarray(0, 30), body.subarray(30)]) {
      await client.send(part);
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    await client.match(/^HTTP\/1\.1 201 /);
    client.socket.destroy();
  });

  test("keeps a connection for the next request, with and without a body", async () => {
    const client = await rawClient(http.url);
    const body = flag("kept");
    await client.send(head(`Content-Length: ${Buffer.byteLength(body)}`), body);
    await client.match(/HTTP\/1\.1 201 /);
    await client.send(head("Content-Length: 0"));
    await client.match(/HTTP\/1\.1 422 /);
    await client.send(head(CHUNKED), chunkOf(flag("kept-too")), "0\r\n\r\n");
    await client.match(/"key":"kept-too"/);
    client.socket.destroy();
  });

  test.each(["declared", "chunked"])(
    "reads a %s body of exactly the limit, and answers one byte more with 413",
    async (how) => {
      const send = (body: string) => post(http.url, how === "chunked" ? streamOf(body) : body);
      expect((await send(sized(`full-${how}`, MAX_BODY_BYTES))).status).toBe(201);
      const refused = await send(sized(`over-${how}`, MAX_BODY_BYTES + 1));
      expect(refused.status).toBe(413);
      expect(await namesOf()).not.toContain(`over-${how}`);
    },
  );

  // A client that is still sending sees a closed connection as an error, and not the response.
  test.each([
    ["chunked", CHUNKED, chunkOf(" ".repeat(110_000)), "0\r\n\r\n"],
    ["declared", "Content-Length: 6600000", " ".repeat(110_000), ""],
  ])(
    "answers a %s body beyond the limit before its end, and keeps the connection open",
    async (_how, framing, part, end) => {
      const client = await rawClient(http.url);
      await client.send(head(framing), ...Array.from({ length: 10 }, () => part));
      await client.match(/^HTTP\/1\.1 413 /);
      expect(client.received()).toContain(`{"detail":"Request body is larger than ${MAX_BODY_BYTES} bytes"}`);
      await client.send(...Array.from({ length: 50 }, () => part), `${end}GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n`);
      await client.match(/HTTP\/1\.1 200 /);
      client.socket.destroy();
    },
  );

  test.each([
    ["ends early", [() => head("Content-Length: 500"), () => flag("broken")], "end"],
    ["is reset", [() => head("Content-Length: 500"), () => flag("broken")], "resetAndDestroy"],
    ["is reset between chunks", [() => head(CHUNKED), () => chunkOf(flag("broken"))], "resetAndDestroy"],
    ["has a broken chunk", [() => head(CHUNKED), () => chunkOf(flag("broken")), () => "zz\r\n"], undefined],
  ] as const)("a body that %s changes nothing and is not logged as a server error", async (_how, parts, end) => {
    const client = await rawClient(http.url);
    for (const part of parts) await client.send(part());
    await new Promise((resolve) => setTimeout(resolve, 30));
    if (end) client.socket[end]();
    await client.closed;
    expect(await namesOf()).not.toContain("broken");
    expect((await fetch(`${http.url}/healthz`)).status).toBe(200);
  });

  test("answers a request whose client disconnects before its body is read", async () => {
    const answered = new Promise<Response>((resolve) => {
      host((req, res) => {
        req.once("close", () => resolve(server.assay.fetch(new NodeRequest({ req, res }) as unknown as Request)));
      }).then(async (url) => {
        const client = await rawClient(url);
        await client.send(head("Content-Length: 500"), "{");
        await new Promise((done) => setTimeout(done, 30));
        client.socket.resetAndDestroy();
      });
    });
    const { status } = await answered;
    expect(status).toBe(400);
  });

  test("removes all listeners from a message that was read", async () => {
    const messages: [IncomingMessage, number[]][] = [];
    // Node adds one of this name to a message whose response is finished before its `end`.
    const isOurs = (listener: { name: string }) => listener.name !== "clearIncoming";
    const counts = (message: IncomingMessage) =>
      ["data", "end", "error", "close"].map((name) => message.listeners(name).filter(isOurs).length);
    const url = await host((req, res) => {
      messages.push([req, counts(req)]);
      server.assay.node(req, res);
    });
    await post(url, flag("listened"));
    await post(url, "x".repeat(MAX_BODY_BYTES + 1).slice(0, 1000), { "content-encoding": "gzip" });
    await post(url, streamOf(" ".repeat(MAX_BODY_BYTES + 1)));
    expect(messages).toHaveLength(3);
    for (const [message, before] of messages) expect(counts(message)[0]).toBe(before[0]);
    // Node adds more to messages it discards, so compare only the first, which was read to its end.
    expect(counts(messages[0]![0])).toEqual(messages[0]![1]);
  });
});

describe("if the host has read the body before", () => {
  test.each([
    ["express.json()", express.json()],
    ["express.text()", express.text({ type: "*/*" })],
    ["express.raw()", express.raw({ type: "*/*" })],
  ])("%s, the body is restored", async (name, parser) => {
    const app = express();
    app.use(parser, server.assay.node);
    expect((await post(await host(app), flag(name.replace(/\W/g, "-")))).status).toBe(201);
  });

  test.each([
    ["a clone of the request", (request: Request) => request.clone().text()],
    ["the stream, unread", (request: Request) => Promise.resolve(request.body)],
  ])("%s, the body is still read", async (name, look) => {
    const url = await host(async (req, res) => {
      const request = new NodeRequest({ req, res }) as unknown as Request;
      const looked = look(request);
      const answer = await server.assay.fetch(request);
      await looked;
      res.writeHead(answer.status).end(await answer.text());
    });
    const key = name.replace(/\W/g, "-");
    const answer = await post(url, sized(key, 500_000));
    expect([answer.status, await answer.json()]).toMatchObject([201, { key }]);
  });

  test("and consumed the body, there is none", async () => {
    const url = await host(async (req, res) => {
      const request = new NodeRequest({ req, res }) as unknown as Request;
      await request.text();
      res.writeHead((await server.assay.fetch(request)).status).end();
    });
    expect((await post(url, flag("used-up"))).status).toBe(422);
  });

  test("a host's own body limit applies, with 413", async () => {
    const app = new H3().all("/**", (event) => server.assay.fetch(event.req));
    const limited = serve(app, { port: 0, hostname: "127.0.0.1", silent: true, maxRequestBodySize: 1000 });
    opened.push({ close: () => limited.close(true) });
    await limited.ready();
    const url = limited.url!.replace(/\/$/, "");
    expect((await post(url, sized("small", 1000))).status).toBe(201);
    const refused = await post(url, streamOf(sized("large", 1001)));
    expect([refused.status, await refused.json()]).toEqual([413, { detail: "Request body is too large" }]);
  });
});

test("reads a message of node:http without its web stream", async () => {
  const touched: string[] = [];
  const url = await host(async (req, res) => {
    const request = new NodeRequest({ req, res }) as unknown as Request;
    const watched = new Proxy(request, {
      get(target, name) {
        touched.push(String(name));
        const value = Reflect.get(target, name, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    const answer = await server.assay.fetch(watched);
    res.writeHead(answer.status).end();
  });
  const sent = ask(url + PATH, {
    method: "POST",
    headers: { "x-api-key": key, "content-type": "application/json" },
  });
  sent.end(flag("direct"));
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  answer.resume();
  expect(answer.statusCode).toBe(201);
  expect(touched).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(body|text|arrayBuffer|signal)$/)]));
});
