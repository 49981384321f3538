import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestServer, type TestServer } from "../testing.fixture.ts";
import { sendFrom } from "./request.fixture.ts";

let server: TestServer;
beforeEach(async () => {
  server = await createTestServer();
});
afterEach(() => server.assay.close());

async function restart(options: Parameters<typeof createTestServer>[0]) {
  await server.assay.close();
  server = await createTestServer(options);
}

test("serves plain HTTP by default, without HSTS", async () => {
  const response = await sendFrom(server, "192.0.2.1", "/openapi.json");
  expect(response.status).toBe(200);
  expect(response.headers.has("strict-transport-security")).toBe(false);
});

test("rejects plain HTTP if HTTPS is required, except on the health routes", async () => {
  await restart({ requireHttps: true });
  for (const path of ["/api/v1/feature-flags/", "/openapi.json", "/docs", "/.well-known/jwks.json", "/nowhere"]) {
    const response = await sendFrom(server, "192.0.2.1", path);
    expect([response.status, await response.json()]).toEqual([403, { detail: "HTTPS required" }]);
    expect(response.headers.get("x-request-id")).not.toBeNull();
  }
  for (const path of ["/healthz", "/readyz"]) expect((await sendFrom(server, "192.0.2.1", path)).status).toBe(200);
});

test("accepts TLS at the socket, with HSTS", async () => {
  await restart({ requireHttps: true });
  const response = await sendFrom(server, "192.0.2.1", "/openapi.json", { origin: "https://assay.test" });
  expect(response.status).toBe(200);
  expect(response.headers.get("strict-transport-security")).toBe("max-age=31536000");
});

test("accepts TLS at a proxy only if the proxy is trusted", async () => {
  const forwarded = { "x-forwarded-for": "192.0.2.1", "x-forwarded-proto": "https" };
  const status = async (ip: string, headers: Record<string, string>) =>
    (await sendFrom(server, ip, "/openapi.json", { headers })).status;
  await restart({ requireHttps: true });
  expect(await status("10.0.0.1", forwarded)).toBe(403);
  await restart({ requireHttps: true, trustProxy: "10.0.0.0/8" });
  expect(await status("10.0.0.1", forwarded)).toBe(200);
  expect(await status("203.0.113.9", forwarded)).toBe(403);
  expect(await status("10.0.0.1", { ...forwarded, "x-forwarded-proto": "http" })).toBe(403);
  expect(await status("10.0.0.1", { ...forwarded, "x-forwarded-proto": "https, http" })).toBe(403);
});
