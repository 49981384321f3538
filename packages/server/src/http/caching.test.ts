import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { listen } from "../listening.fixture.ts";
import { createTestServer, type TestServer } from "../testing.fixture.ts";

let server: TestServer;
let headers: { "x-api-key": string };
beforeEach(async () => {
  server = await createTestServer();
  headers = { "x-api-key": (await server.withKey(["read", "write", "admin"])).key };
  await server.send("POST", "/feature-flags/", { headers, body: { key: "f", name: "F", status: "ACTIVE" } });
  await server.send("POST", "/experiments/", { headers, body: { key: "e", name: "E" } });
});
afterEach(() => server.assay.close());

const cached = [
  ["/feature-flags/", 3600],
  ["/feature-flags/f", 3600],
  ["/experiments/", 3600],
  ["/experiments/e", 3600],
  ["/openfeature/flags", 3600],
  ["/experiments/e/results", 300],
  ["/results/e", 300],
] as const;

describe.each(cached)("GET %s", (path, maxAge) => {
  test(`may be kept for ${maxAge} seconds by its reader, with a strong ETag`, async () => {
    const answer = await server.send("GET", path, { headers });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe(`private, max-age=${maxAge}`);
    expect(answer.headers.get("etag")).toMatch(/^"[\w-]+"$/);
    const negotiated = path === "/openfeature/flags" ? ", Accept" : "";
    expect(answer.headers.get("vary")).toBe(`Authorization, X-API-Key, Origin${negotiated}`);
  });

  test("answers 304 for the ETag, with the same headers and no body", async () => {
    const etag = (await server.send("GET", path, { headers })).headers.get("etag")!;
    for (const match of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const answer = await server.send("GET", path, { headers: { ...headers, "if-none-match": match } });
      expect([answer.status, answer.text]).toEqual([304, ""]);
      expect(answer.headers.get("etag")).toBe(etag);
      expect(answer.headers.get("cache-control")).toBe(`private, max-age=${maxAge}`);
    }
    const other = await server.send("GET", path, { headers: { ...headers, "if-none-match": '"other"' } });
    expect(other.status).toBe(200);
  });
});

test("a large answer is the same in-process and over a socket, however often it is sent", async () => {
  const value = "Größe 😀 ".repeat(20);
  const flag = {
    name: "Large",
    value_type: "STRING",
    default_value: value,
    variants: [{ key: "a", weight: 100, value }],
  };
  for (let number = 0; number < 60; number++) {
    const body = { ...flag, key: `large-${number}`, status: "ACTIVE" };
    expect(await server.send("POST", "/feature-flags/", { headers, body })).toMatchObject({ status: 201 });
  }
  const http = await listen(server.assay);
  for (const path of ["/openfeature/flags", "/feature-flags/f"]) {
    const first = await server.send("GET", path, { headers });
    if (path === "/openfeature/flags") expect(first.text.length).toBeGreaterThan(8_192);
    for (let time = 0; time < 2; time++) {
      expect((await server.send("GET", path, { headers })).text).toBe(first.text);
      const answer = await fetch(`${http.url}/api/v1${path}`, { headers });
      const bytes = Buffer.from(await answer.arrayBuffer());
      expect(bytes.toString()).toBe(first.text);
      expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
      expect(answer.headers.get("content-length")).toBe(String(bytes.length));
      expect(answer.headers.get("etag")).toBe(first.headers.get("etag"));
    }
    const head = await fetch(`${http.url}/api/v1${path}`, { method: "HEAD", headers });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect(head.headers.get("etag")).toBe(first.headers.get("etag"));
  }
  await http.close();
});

test("a flag that is created again under its key has another ETag", async () => {
  const etag = async () => (await server.send("GET", "/feature-flags/f", { headers })).headers.get("etag");
  const before = await etag();
  await server.send("DELETE", "/feature-flags/f", { headers });
  await server.send("POST", "/feature-flags/", { headers, body: { key: "f", name: "Another" } });
  expect(await etag()).not.toBe(before);
});

test("credentials, users and evaluations are not cached", async () => {
  const { access_token } = (
    await server.send("POST", "/auth/login", { body: { username: "admin", password: "correct horse battery" } })
  ).json;
  const authorization = `Bearer ${access_token}`;
  for (const path of ["/users/", "/users/me", "/auth/me", "/api-keys", "/admin/users"]) {
    const answer = await server.send("GET", path, { headers: { authorization } });
    expect([answer.status, answer.headers.get("cache-control"), answer.headers.get("etag")]).toEqual([
      200,
      "no-store",
      null,
    ]);
  }
  const evaluated = await server.send("POST", "/feature-flags/f/evaluate", { headers, body: { user_id: "u" } });
  expect([evaluated.status, evaluated.headers.get("cache-control")]).toEqual([200, "no-store"]);
  expect((await server.send("GET", "/feature-flags/none", { headers })).headers.get("cache-control")).toBe("no-store");
});

describe("If-Match", () => {
  const put = (match: string | undefined, body: object) =>
    server.send("PUT", "/feature-flags/f", { body, headers: { ...headers, ...(match ? { "if-match": match } : {}) } });
  const etag = async () => (await server.send("GET", "/feature-flags/f", { headers })).headers.get("etag")!;

  test("accepts a change if no other change was made", async () => {
    const tag = await etag();
    expect((await put(tag, { name: "One" })).status).toBe(200);
    const refused = await put(tag, { name: "Two" });
    expect([refused.status, refused.json]).toEqual([412, { detail: "The resource has changed since it was read" }]);
    expect((await put(await etag(), { name: "Two" })).status).toBe(200);
  });

  test("accepts any version for *, and rejects an unknown tag", async () => {
    expect((await put("*", { name: "One" })).status).toBe(200);
    for (const tag of ['"x"', 'W/"v1"', "v1", '"v1", "v2"']) expect((await put(tag, { name: "X" })).status).toBe(412);
  });

  test("protects every route that changes a flag or an experiment", async () => {
    const stale = { ...headers, "if-match": '"v99"' };
    for (const [method, path] of [
      ["DELETE", "/feature-flags/f"],
      ["PATCH", "/feature-flags/f/rollout"],
      ["PUT", "/experiments/e"],
      ["PATCH", "/experiments/e"],
      ["DELETE", "/experiments/e"],
    ] as const) {
      const body = path.endsWith("rollout")
        ? { rollout_percentage: 5 }
        : method !== "DELETE"
          ? { name: "N" }
          : undefined;
      const { status } = await server.send(method, path, { headers: stale, ...(body ? { body } : {}) });
      expect([path, status]).toEqual([path, 412]);
    }
  });
});

test("every response forbids sniffing, framing and referrers", async () => {
  for (const path of ["/feature-flags/", "/nowhere", "/users/me"]) {
    const answer = await server.send("GET", path, { headers });
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(answer.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
  }
});
