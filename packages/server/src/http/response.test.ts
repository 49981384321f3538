import { once } from "node:events";
import { request as ask, type IncomingMessage } from "node:http";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { listen } from "../listening.fixture.ts";
import { createTestServer, ORIGIN, type TestServer } from "../testing.fixture.ts";

let server: TestServer;
let key: string;
let http: Awaited<ReturnType<typeof listen>>;

beforeAll(async () => {
  server = await createTestServer();
  key = (await server.withKey(["read", "write", "admin"])).key;
  await server.admin.request("POST /feature-flags/", { body: { key: "f", name: "Straße", status: "ACTIVE" } });
  http = await listen(server.assay);
});
afterEach(() => vi.unstubAllGlobals());
afterAll(async () => {
  await http.close();
  await server.assay.close();
});

const PATH = "/api/v1/openfeature/flags";
const get = (headers: Record<string, string> = {}, path = PATH) =>
  server.assay.fetch(new Request(ORIGIN + path, { headers: { "x-api-key": key, ...headers } }));

describe("a host that calls fetch gets a Response", () => {
  test("with status, headers and a body that can be read in every way, once", async () => {
    const text = await (await get()).text();
    expect(JSON.parse(text).flags[0].key).toBe("f");
    const response = await get();
    expect(response).toBeInstanceOf(Response);
    expect([response.status, response.ok, response.statusText, response.type]).toEqual([200, true, "", "default"]);
    expect(response.headers).toBeInstanceOf(Headers);
    expect(response.headers.get("Content-Type")).toBe("application/json; charset=utf-8");
    expect(response.body).toBeInstanceOf(ReadableStream);
    expect(response.bodyUsed).toBe(false);
    expect(await response.text()).toBe(text);
    expect(response.bodyUsed).toBe(true);
    await expect(response.text()).rejects.toThrow(TypeError);
    expect(await (await get()).json()).toEqual(JSON.parse(text));
    expect(Buffer.from(await (await get()).arrayBuffer()).toString()).toBe(text);
    expect(await (await (await get()).blob()).text()).toBe(text);
    let streamed = "";
    for await (const chunk of (await get()).body!.pipeThrough(new TextDecoderStream() as never)) streamed += chunk;
    expect(streamed).toBe(text);
  });

  test("that can be cloned, copied and given other headers", async () => {
    const response = await get();
    response.headers.set("X-Host", "yes");
    response.headers.delete("ETag");
    const clone = response.clone();
    expect(clone).toBeInstanceOf(Response);
    const wrapped = new Response(response.body, response);
    expect([wrapped.status, wrapped.headers.get("x-host"), wrapped.headers.get("etag")]).toEqual([200, "yes", null]);
    expect(await clone.text()).toBe(await wrapped.text());
  });

  test("without a body if there is none", async () => {
    const fresh = await get({ "if-none-match": (await get()).headers.get("etag")! });
    expect([fresh.status, fresh.body, await fresh.text()]).toEqual([304, null, ""]);
    expect(fresh.clone().status).toBe(304);
    const refused = await get({}, "/api/v1/nowhere");
    expect([refused.status, refused.ok, await refused.json()]).toEqual([404, false, { detail: "Resource not found" }]);
  });

  test("even if the host replaced the global Response", async () => {
    class HostResponse extends Response {}
    vi.stubGlobal("Response", HostResponse);
    const response = await get();
    expect(response).toBeInstanceOf(HostResponse);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
    expect((await response.json()).flags).toHaveLength(1);
    expect((await get({ "if-none-match": response.headers.get("etag")! })).status).toBe(304);
  });
});

/** Sends a request and returns the raw response, as Node parses it. */
async function over(method: string, path: string, headers: Record<string, string> = {}, body?: string) {
  const sent = ask(http.url + path, { method, headers: { "x-api-key": key, ...headers } });
  sent.end(body);
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  const names = answer.rawHeaders.filter((_, index) => index % 2 === 0);
  return { status: answer.statusCode, headers: answer.headers, names, bytes: Buffer.concat(chunks) };
}
const JSON_TYPE = { "content-type": "application/json" };

describe("over node:http, a response", () => {
  test.each([
    ["GET", PATH, undefined, 200],
    ["POST", "/api/v1/feature-flags/f/evaluate", '{"user_id":"u"}', 200],
    ["POST", "/api/v1/feature-flags/f/evaluate", '{"user_id":1}', 422],
    ["POST", "/ofrep/v1/evaluate/flags/f", '{"context":{"targetingKey":"u"}}', 200],
    ["POST", "/ofrep/v1/evaluate/flags/g", '{"context":{"targetingKey":"u"}}', 404],
    ["POST", "/ofrep/v1/evaluate/flags/g", "{", 400],
    ["GET", "/api/v1/nowhere", undefined, 404],
    ["PUT", PATH, "{}", 405],
  ])("to %s %s %s has a length and each header once", async (method, path, body, status) => {
    const answer = await over(method, path, JSON_TYPE, body);
    expect(answer.status).toBe(status);
    expect(answer.headers["content-length"]).toBe(String(answer.bytes.byteLength));
    expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(answer.headers).not.toHaveProperty("transfer-encoding");
    expect(answer.names.map((name) => name.toLowerCase())).toEqual([
      ...new Set(answer.names.map((name) => name.toLowerCase())),
    ]);
  });

  test("without a body has neither length nor type", async () => {
    const { etag } = (await over("GET", PATH)).headers;
    const fresh = await over("GET", PATH, { "if-none-match": etag! });
    expect([fresh.status, fresh.bytes.byteLength, fresh.headers["content-type"]]).toEqual([304, 0, undefined]);
    const created = await over("POST", "/api/v1/feature-flags/", JSON_TYPE, '{"key":"gone","name":"Gone"}');
    const { id } = JSON.parse(created.bytes.toString());
    const removed = await over("DELETE", `/api/v1/feature-flags/${id}`);
    expect([removed.status, removed.bytes.byteLength, removed.headers["content-type"]]).toEqual([204, 0, undefined]);
  });

  test("to HEAD equals that to GET without its body", async () => {
    const { status, headers, bytes } = await over("HEAD", PATH);
    expect([status, bytes.byteLength]).toEqual([200, 0]);
    expect(headers.etag).toBe((await over("GET", PATH)).headers.etag);
  });

  test("that is stored for an Idempotency-Key is the same the second time", async () => {
    const repeat = () =>
      over("POST", "/api/v1/feature-flags/", { ...JSON_TYPE, "idempotency-key": "k" }, '{"key":"once","name":"Ünce"}');
    const [first, second] = [await repeat(), await repeat()];
    expect([first.status, second.status, second.headers["idempotency-replayed"]]).toEqual([201, 201, "true"]);
    expect(second.bytes.toString()).toBe(first.bytes.toString());
    expect(first.headers["content-length"]).toBe(String(first.bytes.byteLength));
  });

  test("has a header that is added after it was made", async () => {
    const safe = await createTestServer({ requireHttps: true, trustProxy: 1 });
    const own = await listen(safe.assay);
    const sent = ask(`${own.url}/api/v1/nowhere`, {
      headers: { "x-forwarded-for": "1.2.3.4", "x-forwarded-proto": "https" },
    });
    sent.end();
    const [{ headers }] = (await once(sent, "response")) as [IncomingMessage];
    expect(headers).toMatchObject({ "strict-transport-security": "max-age=31536000", "cache-control": "no-store" });
    await own.close();
    await safe.assay.close();
  });

  test("to a body that comes in a later packet is the same", async () => {
    const path = "/api/v1/feature-flags/f/evaluate";
    const sent = ask(http.url + path, {
      method: "POST",
      headers: { "x-api-key": key, ...JSON_TYPE, "content-length": 15 },
    });
    sent.write('{"user_');
    // The server has received the first part by the time it answers another request.
    expect((await over("GET", PATH)).status).toBe(200);
    sent.end('id":"u"}');
    const [answer] = (await once(sent, "response")) as [IncomingMessage];
    let text = "";
    for await (const chunk of answer.setEncoding("utf8")) text += chunk;
    expect(text).toBe((await over("POST", path, JSON_TYPE, '{"user_id":"u"}')).bytes.toString());
  });
});
