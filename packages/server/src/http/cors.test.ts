import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestServer, type TestServer } from "../testing.fixture.ts";

const APP = "https://app.example.org";
const FOREIGN = "https://elsewhere.example";

let server: TestServer;
beforeEach(async () => {
  server = await createTestServer({ cors: { origins: [APP] } });
});
afterEach(() => server.assay.close());

const ask = (path: string, origin: string, method = "POST") =>
  server.send("OPTIONS", path, { headers: { origin, "access-control-request-method": method } });

describe("a preflight", () => {
  test.each(["/openfeature/evaluate", "/openfeature/flags", "/tracking/track", "/audit-logs/stream"])(
    "of %s is answered without credentials",
    async (path) => {
      const { status, headers, text } = await ask(path, APP);
      expect([status, text]).toEqual([204, ""]);
      expect(headers.get("access-control-allow-origin")).toBe(APP);
      expect(headers.get("access-control-allow-methods")).toMatch(/GET|POST/);
      const allowed = headers.get("access-control-allow-headers")?.split(", ");
      expect(allowed).toEqual(expect.arrayContaining(["X-API-Key", "X-Assay-Environment"]));
      expect(headers.get("vary")).toBe("Origin");
    },
  );

  test("of an unlisted origin allows nothing", async () => {
    const { status, headers } = await ask("/openfeature/evaluate", FOREIGN);
    expect(status).toBe(204);
    expect(headers.has("access-control-allow-origin")).toBe(false);
  });

  test("of a route that is not for pages is an ordinary wrong method", async () => {
    for (const path of ["/users/", "/api-keys", "/audit-logs"]) expect((await ask(path, APP)).status).toBe(401);
  });

  test("is an ordinary wrong method if CORS is off", async () => {
    await server.assay.close();
    server = await createTestServer();
    expect((await ask("/openfeature/evaluate", APP)).status).toBe(401);
  });
});

describe("an answer", () => {
  const evaluate = (headers: Record<string, string>) =>
    server.send("POST", "/openfeature/evaluate", { headers, body: { flagKey: "f", userId: "u" } });

  test("can be read by pages of a listed origin, also an error", async () => {
    const { key } = await server.withKey(["read"], { kind: "CLIENT" });
    const good = await evaluate({ origin: APP, "x-api-key": key });
    expect([good.status, good.headers.get("access-control-allow-origin")]).toEqual([200, APP]);
    expect(good.headers.get("access-control-expose-headers")).toContain("RateLimit-Remaining");
    const bad = await evaluate({ origin: APP });
    expect([bad.status, bad.headers.get("access-control-allow-origin")]).toEqual([401, APP]);
  });

  test("cannot be read by pages of another origin, and never allows cookies", async () => {
    const { key } = await server.withKey(["read"]);
    const { headers } = await evaluate({ origin: FOREIGN, "x-api-key": key });
    expect(headers.has("access-control-allow-origin")).toBe(false);
    expect(headers.has("access-control-allow-credentials")).toBe(false);
  });

  test("allows * if every origin is allowed", async () => {
    await server.assay.close();
    server = await createTestServer({ cors: { origins: ["*"] } });
    expect((await evaluate({ origin: FOREIGN })).headers.get("access-control-allow-origin")).toBe("*");
  });
});

test.each(["https://app.example.org/", "app.example.org", "https://app.example.org/path", "ftp://x"])(
  "rejects the origin %s",
  async (origin) => {
    await expect(createTestServer({ cors: { origins: [origin] } })).rejects.toThrow(/cors.origins/);
  },
);

describe("a CLIENT key with allowed origins", () => {
  test("works only for pages of those origins", async () => {
    const { key } = await server.withKey(["read"], { kind: "CLIENT", allowed_origins: [`${APP}/any/path`] });
    const status = async (headers: Record<string, string>) =>
      (await server.send("GET", "/feature-flags/user/u", { headers: { "x-api-key": key, ...headers } })).status;
    expect(await status({ origin: APP })).toBe(200);
    expect(await status({ origin: FOREIGN })).toBe(403);
    expect(await status({})).toBe(403);
  });

  test("reports a wrong origin; SERVER keys have no origins", async () => {
    const client = await server.withKey(["read"], { kind: "CLIENT", allowed_origins: [APP] });
    const { json } = await server.send("GET", "/feature-flags/user/u", {
      headers: { "x-api-key": client.key, origin: FOREIGN },
    });
    expect(json).toEqual({ detail: "Not enough permissions: an allowed origin required" });
    const backend = await server.withKey(["read"], { allowed_origins: [APP] });
    expect((await server.send("GET", "/feature-flags/", { headers: { "x-api-key": backend.key } })).status).toBe(200);
  });
});
