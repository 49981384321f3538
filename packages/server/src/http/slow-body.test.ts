import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { listen } from "../listening.fixture.ts";
import { chunkOf, rawClient } from "../raw-client.fixture.ts";
import { createTestServer, ORIGIN, type TestServer } from "../testing.fixture.ts";
import { MAX_BODY_BYTES } from "./body-size.ts";

const logger = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
let server: TestServer;
let key: string;
let http: Awaited<ReturnType<typeof listen>>;

beforeAll(async () => {
  server = await createTestServer({ logger, bodyDeadlineMs: 50 });
  key = (await server.withKey(["read", "write", "admin"])).key;
  http = await listen(server.assay);
});
afterAll(async () => {
  await http.close();
  await server.assay.close();
  expect(logger.error).not.toHaveBeenCalled();
});

const head = (path: string, framing: string) =>
  [`POST ${path} HTTP/1.1`, "Host: x", `X-API-Key: ${key}`, "Content-Type: application/json", framing, "", ""].join(
    "\r\n",
  );
const LATE = "Request body did not arrive within 0.05 s; send the request again";
const SIZED = ["Content-Length: 500", "{"] as const;
const CHUNKED = ["Transfer-Encoding: chunked", chunkOf("{")] as const;

describe("a body that does not arrive in time", () => {
  test.each([
    ["of a known size", "/api/v1/feature-flags/", SIZED],
    ["in chunks", "/api/v1/feature-flags/", CHUNKED],
    ["of a sign-in", "/api/v1/auth/login", SIZED],
    ["of a webhook", "/api/v1/integrations/00000000-0000-7000-8000-000000000000/webhook/tracker", SIZED],
  ])("%s gets a 408, and the connection ends", async (_how, path, [framing, part]) => {
    const client = await rawClient(http.url);
    await client.send(head(path, framing), part);
    await client.closed;
    expect(client.received()).toMatch(/^HTTP\/1\.1 408 /);
    expect(client.received()).toMatch(/^connection: close\r$/m);
    expect(client.received()).toContain(JSON.stringify({ detail: LATE }));
  });

  test("gets the error of OFREP on its routes", async () => {
    const client = await rawClient(http.url);
    await client.send(head("/ofrep/v1/evaluate/flags", SIZED[0]), SIZED[1]);
    await client.closed;
    expect(client.received()).toMatch(/^HTTP\/1\.1 408 /);
    expect(client.received()).toContain(`"errorDetails":"${LATE}"`);
  });

  test("gets a 408 although single bytes keep arriving", async () => {
    const client = await rawClient(http.url);
    await client.send(head("/api/v1/feature-flags/", CHUNKED[0]));
    const dribbling = setInterval(() => client.socket.write(chunkOf(" ")), 5);
    await client.closed;
    clearInterval(dribbling);
    expect(client.received()).toMatch(/^HTTP\/1\.1 408 /);
  });

  test("ends the connection of a body beyond the limit that does not end in time", async () => {
    const client = await rawClient(http.url);
    await client.send(head("/api/v1/feature-flags/", CHUNKED[0]), chunkOf(" ".repeat(MAX_BODY_BYTES + 1)));
    await client.closed;
    expect(client.received()).toMatch(/^HTTP\/1\.1 413 /);
    expect(client.received()).not.toContain("HTTP/1.1 408");
  });

  test.each([{}, { "content-length": "500" }])("as a web stream gets a 408, with %j", async (headers) => {
    const ended = vi.fn();
    let send: (text: string) => void = () => {};
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        send = (text) => controller.enqueue(new TextEncoder().encode(text));
        send("{");
      },
      cancel: ended,
    });
    const init = { method: "POST", body, headers: { "x-api-key": key, ...headers }, duplex: "half" };
    const request = new Request(`${ORIGIN}/api/v1/feature-flags/`, init as RequestInit);
    const answer = await server.assay.fetch(request);
    expect([answer.status, await answer.json()]).toEqual([408, { detail: LATE }]);
    send(" ");
    if (!("content-length" in headers)) await vi.waitFor(() => expect(ended).toHaveBeenCalled());
  });
});

test("a connection works on after a body in time", async () => {
  const client = await rawClient(http.url);
  const body = JSON.stringify({ key: "prompt", name: "Prompt" });
  await client.send(head("/api/v1/feature-flags/", `Content-Length: ${body.length}`), body);
  await client.match(/^HTTP\/1\.1 201 /);
  await new Promise((resolve) => setTimeout(resolve, 100));
  await client.send(`GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n`);
  await client.match(/HTTP\/1\.1 200 /);
  client.socket.end();
  await once(client.socket, "close");
});

test("rejects a deadline that no body meets", async () => {
  for (const bodyDeadlineMs of [0, Number.NaN]) {
    await expect(createTestServer({ bodyDeadlineMs })).rejects.toThrow("bodyDeadlineMs must be a positive number");
  }
});
