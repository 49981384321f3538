import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { afterAll, afterEach, expect, test } from "vitest";
import { ADMIN, createTestServer, ORIGIN } from "./testing.fixture.ts";

const { assay, connect } = await createTestServer({ basePath: "/assay" });
const admin = connect({ ...ADMIN, baseUrl: `${ORIGIN}/assay` });
const hosts: ReturnType<typeof createServer>[] = [];

afterEach(() => {
  for (const host of hosts.splice(0)) host.close();
});
afterAll(() => assay.close());

async function serve(listener: RequestListener): Promise<string> {
  const host = createServer(listener);
  hosts.push(host);
  await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
}

const sign = (url: string) =>
  fetch(`${url}/assay/api/v1/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"username":"nobody","password":"not this one"}',
  });

test.each([
  ["read by the server", (): unknown => undefined],
  ["consumed by the host", () => ({ username: "nobody", password: "not this one" })],
])("a host that waits for the handler finds the response sent, with a body %s", async (_, parse) => {
  const ended: boolean[] = [];
  const url = await serve(async (request, response) => {
    const body = parse();
    if (body) {
      await request.toArray();
      Object.assign(request, { body });
    }
    await assay.node(request, response);
    ended.push(response.writableEnded);
  });
  const answer = await sign(url);
  expect(answer.status).toBe(401);
  expect(await answer.json()).toMatchObject({ detail: expect.any(String) });
  await expect.poll(() => ended).toEqual([true]);
});

test.each([
  ["ASCII", "Greetings", "ascii"],
  ["characters of Latin-1", "Grüße", "latin"],
  ["characters of other scripts", "挨拶 🎉", "other"],
])("a text of %s arrives as it is, with its length in bytes", async (_, name, flagKey) => {
  const url = await serve(assay.node);
  const { key } = await admin.request("POST /api-keys", { body: { name, scopes: ["read"] } });
  const flag = await admin.request("POST /feature-flags/", { body: { key: flagKey, name } });
  const answer = await fetch(`${url}/assay/api/v1/feature-flags/${flag.id}`, { headers: { "x-api-key": `${key}` } });
  const text = await answer.text();
  expect(JSON.parse(text)).toMatchObject({ name });
  expect(answer.headers.get("content-length")).toBe(String(Buffer.byteLength(text)));
});

test("a middleware answers its paths with and without a slash at their end, and passes on others", async () => {
  const app = express();
  app.use(assay.node);
  app.use((_request, response) => void response.status(418).end());
  const url = await serve(app);
  const status = async (path: string) => (await fetch(url + path, { redirect: "manual" })).status;
  for (const path of ["/assay/healthz", "/assay/openapi.json", "/assay/.well-known/jwks.json"]) {
    expect([await status(path), await status(`${path}/`)], path).toEqual([200, 200]);
  }
  expect([await status("/assay/api/v1/feature-flags"), await status("/assay/api/v1/feature-flags/")]).toEqual([
    401, 401,
  ]);
  for (const path of ["/", "/assay", "/assay/", "/assay/hello", "/healthz", "/assayed/healthz"]) {
    expect(await status(path), path).toBe(418);
  }
});
