import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestServer, ORIGIN, type TestServer } from "../testing.fixture.ts";
import { MAX_BODY_BYTES } from "./body-size.ts";

let server: TestServer;
let key: string;
beforeAll(async () => {
  server = await createTestServer();
  key = (await server.withKey(["read", "write", "admin"])).key;
});
afterAll(() => server.assay.close());

const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  server.send(method, path, { body, headers: { "x-api-key": key, ...headers } });

describe("every answer", () => {
  test("carries a request id: a valid one of the caller, else a new one", async () => {
    expect(
      (await send("GET", "/feature-flags/", undefined, { "x-request-id": "abc-1.2" })).headers.get("x-request-id"),
    ).toBe("abc-1.2");
    for (const id of ["a b", "x".repeat(200), '"']) {
      const given = (await send("GET", "/nowhere", undefined, { "x-request-id": id })).headers.get("x-request-id");
      expect(given).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  test.each(["/", "/healthz", "/readyz", "/.well-known/jwks.json", "/openapi.json", "/docs", "/nowhere"])(
    "carries a request id outside of the API too: %s",
    async (path) => {
      const ask = async (headers: Record<string, string>) =>
        (await server.assay.fetch(new Request(`${ORIGIN}${path}`, { headers }))).headers.get("x-request-id");
      expect(await ask({ "x-request-id": "abc-1.2" })).toBe("abc-1.2");
      expect(await ask({})).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  test("is the same with and without a trailing slash", async () => {
    for (const path of ["/feature-flags", "/feature-flags/", "/experiments", "/experiments/"]) {
      expect((await send("GET", path)).status).toBe(200);
    }
    expect((await send("GET", "/feature-flags/unknown/")).status).toBe(404);
  });
});

describe("paths and methods", () => {
  test("an unknown path is a 404 for every caller", async () => {
    for (const path of ["/nowhere", "/", "", "/feature-flags/a/b/c", "/../etc"]) {
      const { status, json } = await server.send("GET", path);
      expect([status, json]).toEqual([404, { detail: "Resource not found" }]);
    }
  });

  test("a known path with a wrong method is a 405 with the right ones, after the credentials", async () => {
    const { status, json, headers } = await send("DELETE", "/feature-flags/");
    expect([status, json, headers.get("allow")]).toEqual([405, { detail: "Method not allowed" }, "GET, POST"]);
    expect((await server.send("DELETE", "/feature-flags/")).status).toBe(401);
    expect((await server.send("GET", "/auth/login")).status).toBe(405);
  });

  test("a 405 names the methods of every pattern that matches the path", async () => {
    const body = { username: "admin", password: "correct horse battery" };
    const { json } = await server.send("POST", "/auth/login", { body });
    const patch = (path: string) =>
      server.send("PATCH", path, { headers: { authorization: `Bearer ${json.access_token}` } });
    const { status, headers } = await patch("/warehouse/connections/test");
    expect([status, headers.get("allow")]).toEqual([405, "DELETE, GET, POST, PUT"]);
    const other = await patch("/warehouse/connections/another");
    expect([other.status, other.headers.get("allow")]).toEqual([405, "DELETE, GET, PUT"]);
  });

  test("HEAD is GET without its body", async () => {
    const { status, text, headers } = await send("HEAD", "/feature-flags/");
    expect([status, text]).toEqual([200, ""]);
    expect(headers.get("etag")).toMatch(/^"/);
    expect((await send("HEAD", "/feature-flags/unknown")).status).toBe(404);
  });

  test("decodes parameters once, and answers bad encoding with 400", async () => {
    expect((await send("GET", "/tracking/assignments/a%2Fb%20c")).json).toEqual([]);
    const { status, json } = await send("GET", "/tracking/assignments/%E0%A4%A");
    expect([status, json]).toEqual([400, { detail: "Request path is not valid percent-encoding" }]);
  });
});

describe("bodies", () => {
  test.each([
    ["{", 400],
    ["", 422],
    ["[]", 422],
    ["null", 422],
    ['"text"', 422],
    [`${"[".repeat(100)}${"]".repeat(100)}`, 400],
    [`${`{"not":`.repeat(50_000)}1${"}".repeat(50_000)}`, 400],
  ])("%j is rejected", async (body, status) => {
    const answer = await send("POST", "/feature-flags/", body.slice(0, MAX_BODY_BYTES));
    expect(answer.status).toBe(status);
    expect(answer.json).toHaveProperty("detail");
  });

  test("that are not UTF-8 are a 400", async () => {
    const body = new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
    const headers = { "x-api-key": key, "content-type": "application/json" };
    const response = await server.assay.fetch(
      new Request(`${ORIGIN}/api/v1/feature-flags/`, { method: "POST", body, headers }),
    );
    expect(response.status).toBe(400);
  });

  test("over one megabyte are a 413, declared or not", async () => {
    const large = `{"name":"${"x".repeat(MAX_BODY_BYTES)}"}`;
    expect((await send("POST", "/feature-flags/", large)).status).toBe(413);
    const stream = new ReadableStream({
      pull(controller) {
        controller.enqueue(new TextEncoder().encode("x".repeat(100_000)));
      },
    });
    const init = { method: "POST", body: stream, duplex: "half", headers: { "x-api-key": key } };
    const response = await server.assay.fetch(new Request(`${ORIGIN}/api/v1/feature-flags/`, init as RequestInit));
    expect(response.status).toBe(413);
  });

  test("of unsupported types and encodings are a 415, and no type means JSON", async () => {
    const flag = JSON.stringify({ key: "typed", name: "Typed" });
    for (const headers of [
      { "content-type": "text/plain" },
      { "content-type": "application/xml" },
      { "content-encoding": "gzip" },
    ]) {
      expect((await send("POST", "/feature-flags/", flag, headers as never)).status).toBe(415);
    }
    const response = await server.assay.fetch(
      new Request(`${ORIGIN}/api/v1/feature-flags/`, {
        method: "POST",
        body: new TextEncoder().encode(flag),
        headers: { "x-api-key": key },
      }),
    );
    expect(response.status).toBe(201);
  });

  test.each([
    ["\\ud800", "\ufffd"],
    ["\\uDFFF", "\ufffd"],
    ["a\\ud83db", "a\ufffdb"],
    ["\\ud800\\ud800\\udc00\\udc00", "\ufffd\ud800\udc00\ufffd"],
    ["\\\\ud800", "\\ud800"],
    ["\\\\\\ud800", "\\\ufffd"],
    ["\\ud83d\\ude00", "😀"],
    ["\\ud7ff\\ue000", "\ud7ff\ue000"],
  ])("contain whole characters only: %s is read as %j", async (escaped, read) => {
    const created = await send("POST", "/feature-flags/", `{"name":"${escaped}","key":"half","${escaped}":1}`);
    expect([created.status, created.json.name]).toEqual([201, read]);
    expect(created.headers.get("x-assay-ignored-fields")).toBe(encodeURIComponent(read));
    expect((await send("GET", "/feature-flags/half")).json.name).toBe(read);
    await send("DELETE", "/feature-flags/half");
  });

  test.each([
    ["/auth/signup", { username: "\ud800" }],
    ["/auth/login", { username: "admin", password: "\ud800" }],
    ["/auth/token", { username: "\ud800", password: "x" }],
    ["/auth/forgot-password", { username: "\ud800" }],
    ["/auth/reset-password", { username: "\ud800", reset_code: "\ud800", new_password: "\ud800 and more of it" }],
    ["/auth/confirm", { username: "\ud800", confirmation_code: "\ud800" }],
    ["/auth/refresh", { refresh_token: "\ud800" }],
  ])("with half a character cause no server error, at %s without credentials", async (path, body) => {
    const { status } = await server.send("POST", path, {
      body: { ...body, "\ud800": 1, other: { "\udc00": "\ud800" } },
    });
    expect(status).toBeGreaterThanOrEqual(200);
    expect(status).toBeLessThan(500);
  });

  test("cannot change the prototype", async () => {
    const body = '{"user_id":"u","attributes":{"__proto__":{"country":"US"},"\\u005f_proto__":{"polluted":true}}}';
    await send("POST", "/feature-flags/", {
      key: "geo",
      name: "Geo",
      status: "ACTIVE",
      targeting_rules: { countries: ["US"] },
    });
    const { status, json } = await send("POST", "/feature-flags/geo/evaluate", body);
    expect([status, json.value]).toEqual([200, false]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe("credentials", () => {
  test("of the kind that the route accepts are used", async () => {
    const { json } = await server.send("POST", "/auth/login", {
      body: { username: "admin", password: "correct horse battery" },
    });
    const authorization = `Bearer ${json.access_token}`;
    expect((await server.send("GET", "/users/me", { headers: { authorization, "x-api-key": "wrong" } })).status).toBe(
      200,
    );
    const evaluate = {
      body: { flagKey: "x", userId: "u" },
      headers: { authorization: "Bearer wrong", "x-api-key": key },
    };
    expect((await server.send("POST", "/openfeature/evaluate", evaluate)).status).toBe(200);
  });

  test("of another scheme next to a valid API key are ignored", async () => {
    const authorization = "Basic cHJveHk6c2VjcmV0";
    const get = (headers: Record<string, string>) => server.send("GET", "/feature-flags/", { headers });
    expect((await get({ authorization, "x-api-key": key })).status).toBe(200);
    expect((await get({ authorization, "x-api-key": "wrong" })).json).toEqual({ detail: "Invalid API key" });
    // A bearer token takes precedence if the route accepts both.
    expect((await get({ authorization: "Bearer wrong", "x-api-key": key })).status).toBe(401);
    // A route for users accepts no key, so there the header is the error.
    const me = await server.send("GET", "/users/me", { headers: { authorization, "x-api-key": key } });
    expect(me.json).toEqual({ detail: "Could not validate credentials" });
  });

  test("of the wrong kind are a 401", async () => {
    const { status, json } = await send("GET", "/users/me");
    expect([status, json.detail]).toEqual([401, expect.stringMatching(/^Not authenticated: a user's token is needed/)]);
    expect((await server.send("GET", "/feature-flags/", { headers: { authorization: "Basic eDp5" } })).json).toEqual({
      detail: "Could not validate credentials",
    });
  });
});

describe("rate limits", () => {
  test("count down in the headers and answer 429 with Retry-After", async () => {
    const limited = await createTestServer({ rateLimit: { api: 3 } });
    const reader = await limited.withKey(["read"]);
    const get = () => limited.send("GET", "/feature-flags/", { headers: { "x-api-key": reader.key } });
    for (const left of ["2", "1", "0"]) {
      const { status, headers } = await get();
      expect([status, headers.get("ratelimit-remaining"), headers.get("x-ratelimit-limit")]).toEqual([200, left, "3"]);
    }
    const refused = await get();
    expect([refused.status, refused.json]).toEqual([
      429,
      { detail: "Rate limit exceeded. Please retry after 60 seconds." },
    ]);
    expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(60);
    const other = await limited.withKey(["read"]);
    expect((await limited.send("GET", "/feature-flags/", { headers: { "x-api-key": other.key } })).status).toBe(200);
    await limited.assay.close();
  });
});

describe("outside /api/v1", () => {
  const get = async (path: string) => server.assay.fetch(new Request(ORIGIN + path));

  test("health, keys and documents need no credentials", async () => {
    expect(await (await get("/healthz")).json()).toEqual({ status: "ok" });
    expect(await (await get("/readyz")).json()).toMatchObject({ status: "ready", quarantined: [] });
    const { keys } = (await (await get("/.well-known/jwks.json")).json()) as { keys: Record<string, unknown>[] };
    expect(keys[0]).toMatchObject({ kty: "OKP", crv: "Ed25519", use: "sig" });
    expect(keys[0]).not.toHaveProperty("d");
    expect(await (await get("/openapi.json")).json()).toMatchObject({ openapi: "3.1.0" });
    expect(await (await get("/docs")).text()).toContain("/feature-flags/{key}/evaluate");
  });

  test("a base path prefixes everything", async () => {
    const based = await createTestServer({ basePath: "/flags/" });
    const at = async (path: string) => (await based.assay.fetch(new Request(ORIGIN + path))).status;
    expect([await at("/flags/healthz"), await at("/flags/api/v1/users/me"), await at("/api/v1/users/me")]).toEqual([
      200, 401, 404,
    ]);
    await based.assay.close();
  });
});
