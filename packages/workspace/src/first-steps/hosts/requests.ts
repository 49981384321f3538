import { deepEqual, equal, ok } from "node:assert/strict";
import { expectIn } from "../ground/expect.ts";

/** Checks that the page of the app shows a text. */
export async function expectPage(url: string, text: string): Promise<void> {
  expectIn(await (await fetch(url)).text(), text);
}

/** Sends one request below `/api/v1`; returns its status and its JSON. */
async function ask(base: string, path: string, init?: RequestInit): Promise<[number, unknown]> {
  const response = await fetch(`${base}/api/v1${path}`, init);
  const text = await response.text();
  return [response.status, text && JSON.parse(text)];
}

/** Signs in. Not with a form, which frameworks that check the origin of forms refuse. */
export async function signIn(base: string, password: string): Promise<{ authorization: string }> {
  const body = JSON.stringify({ username: "admin", password });
  const headers = { "content-type": "application/json" };
  const [status, token] = await ask(base, "/auth/login", { method: "POST", headers, body });
  equal(status, 200, JSON.stringify(token));
  return { authorization: `Bearer ${(token as { access_token: string }).access_token}` };
}

/**
 * Checks that requests of every kind reach the server through its host, and responses come back as they are: bodies in
 * JSON and in UTF-8, without a body, methods, both forms of a path, and errors. Returns an API key.
 */
export async function expectApi(base: string, password: string): Promise<string> {
  const headers = await signIn(base, password);
  const json = { ...headers, "content-type": "application/json" };
  const send = (method: string, path: string, body?: unknown) =>
    ask(base, path, { method, headers: json, body: JSON.stringify(body) });

  const [, flags] = await send("GET", "/feature-flags");
  deepEqual(await send("GET", "/feature-flags/"), [200, flags]);
  const [status, made] = await send("POST", "/feature-flags/", { key: "street", name: "Straße ✓" });
  deepEqual([status, (made as { name: string }).name], [201, "Straße ✓"]);
  const path = "/feature-flags/street";
  equal((await send("PATCH", `${path}/rollout`, { rollout_percentage: 5 }))[0], 200);
  const [changed, flag] = await send("PUT", path, { name: "Gasse" });
  deepEqual([changed, (flag as { name: string }).name], [200, "Gasse"]);
  equal((await send("DELETE", path))[0], 204);
  deepEqual(await send("GET", path), [404, { detail: "Resource not found" }]);
  deepEqual(await send("GET", "/nowhere"), [404, { detail: "Resource not found" }]);
  const anonymous = await fetch(`${base}/api/v1/feature-flags`);
  equal(anonymous.status, 401);
  ok(((await anonymous.json()) as { detail: string }).detail);
  const [invalid, { detail }] = (await send("POST", "/feature-flags/", { key: 1 })) as [number, { detail: unknown }];
  equal(invalid, 422);
  ok(Array.isArray(detail), "a 422 lists its problems");
  equal((await fetch(`${base}/healthz/`)).status, 200);
  // A server may reset the connection of a body that it does not read to its end, so nothing else uses it.
  const large = await fetch(`${base}/api/v1/feature-flags`, {
    method: "POST",
    headers: { ...json, connection: "close" },
    body: "x".repeat(1_100_000),
  });
  equal(large.status, 413);
  await large.body?.cancel();

  const [, key] = await send("POST", "/api-keys", { name: "stream", scopes: ["read"] });
  return (key as { key: string }).key;
}
