import { afterEach, expect, test } from "vitest";
import { createTestServer, ORIGIN, PASSWORD, type TestServer } from "../testing.fixture.ts";
import type { AccessLogEntry } from "./access-log.ts";

let server: TestServer | undefined;
afterEach(() => server?.assay.close());

async function started(options: Parameters<typeof createTestServer>[0] = {}) {
  const entries: AccessLogEntry[] = [];
  server = await createTestServer({ accessLog: (entry) => void entries.push(entry), ...options });
  return { ...server, entries };
}

test("each request is one entry with its id, route, status, length, caller and address", async () => {
  const { assay, entries, withKey, now } = await started({ trustProxy: "10.0.0.0/8" });
  const app = await withKey(["read"]);
  entries.length = 0;
  const headers = { "x-api-key": app.key, "x-request-id": "mine", "x-forwarded-for": "192.0.2.7" };
  const request = new Request(`${ORIGIN}/api/v1/feature-flags/?limit=5`, { headers });
  Object.defineProperty(request, "ip", { value: "10.0.0.1" });
  const text = await (await assay.fetch(request)).text();
  expect(entries).toEqual([
    {
      time: new Date(now()).toISOString(),
      request_id: "mine",
      method: "GET",
      route: "/api/v1/feature-flags",
      status: 200,
      duration_ms: expect.any(Number),
      bytes: Buffer.byteLength(text),
      caller: "SERVER_KEY",
      caller_id: app.id,
      address: "192.0.2.7",
    },
  ]);
});

test("users, anonymous callers and refused requests are told apart", async () => {
  const { assay, entries, as, send } = await started();
  const dev = await as("DEVELOPER");
  await dev.request("GET /users/me");
  expect(entries.at(-1)).toMatchObject({ caller: "USER", caller_id: dev.user.id, status: 200 });
  const refused = await send("GET", "/users/me", { headers: { "x-request-id": "refused" } });
  expect(entries.at(-1)).toMatchObject({ caller: null, caller_id: null, status: 401, request_id: "refused" });
  expect(refused.status).toBe(401);
  await send("POST", "/auth/login", { body: { username: dev.username, password: PASSWORD } });
  expect(entries.at(-1)).toMatchObject({ caller: "ANONYMOUS", caller_id: null, status: 200 });
  const page = await assay.fetch(new Request(`${ORIGIN}/healthz`));
  const id = page.headers.get("x-request-id");
  expect(entries.at(-1)).toMatchObject({ caller: null, route: "/healthz", request_id: id, address: null });
});

test("the length of a stream is null, and that of no body is 0", async () => {
  const { assay, entries, withKey } = await started();
  const app = await withKey(["read"]);
  const headers = { "x-api-key": app.key };
  const stream = await assay.fetch(new Request(`${ORIGIN}/api/v1/openfeature/stream`, { headers }));
  expect(entries.at(-1)).toMatchObject({ status: 200, bytes: null });
  await stream.body!.cancel();
  await assay.fetch(new Request(`${ORIGIN}/api/v1/feature-flags/f`, { method: "HEAD", headers }));
  expect(entries.at(-1)).toMatchObject({ method: "HEAD", bytes: 0 });
});

test("keys, tokens, passwords, paths and bodies never reach the access log", async () => {
  const { assay, entries, send, withKey } = await started();
  const app = await withKey(["read"]);
  const { json } = await send("POST", "/auth/login", {
    body: { username: "admin", password: "correct horse battery" },
  });
  const secrets = [app.key, json.access_token, json.refresh_token, "correct horse battery", "query-secret", "a-person"];
  await send("GET", `/users/me?token=query-secret&api_key=${app.key}`, {
    headers: { authorization: `Bearer ${json.access_token}`, cookie: "session=query-secret", "user-agent": "a-person" },
  });
  await send("GET", "/feature-flags/user/a-person", { headers: { "x-api-key": app.key } });
  await send("POST", "/auth/refresh", { body: { refresh_token: json.refresh_token } });
  await send("GET", `/openfeature/stream?token=${app.key}`);
  await assay.fetch(new Request(`${ORIGIN}/a-person/query-secret?key=${app.key}`));
  expect(entries.length).toBeGreaterThan(5);
  const text = JSON.stringify(entries);
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
});

test("a log that throws does not fail requests", async () => {
  const warnings: string[] = [];
  const logger = { info() {}, error() {}, warn: (message: string) => void warnings.push(message) };
  const { assay } = await started({
    logger,
    accessLog() {
      throw new Error("The disk is full");
    },
  });
  expect((await assay.fetch(new Request(`${ORIGIN}/healthz`))).status).toBe(200);
  expect(warnings).toContain("The access log cannot be written");
});

test("requests that need HTTPS are logged when they are refused", async () => {
  const { assay, entries } = await started({ requireHttps: true });
  const response = await assay.fetch(new Request("http://assay.test/api/v1/users/me"));
  const request_id = response.headers.get("x-request-id");
  expect(entries.at(-1)).toMatchObject({ status: 403, route: null, request_id });
});
