import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAssay, memoryStore } from "@assay/server";
import { type Client, OpenFeature, ProviderEvents } from "@openfeature/server-sdk";
import { afterEach, beforeEach, expect, test } from "vitest";
import { AssayServerProvider } from "./index.ts";

const admin = { username: "admin", password: "correct horse battery" };
const ada = { targetingKey: "ada" };

/** A server that can stop and restart on its port with its data. */
let assay: ReturnType<typeof createAssay>;
let http: Server | undefined;
let port = 0;
let token = "";
const storage = { ...memoryStore(), close: async () => {} };

async function start() {
  const logger = { info() {}, warn() {}, error() {} };
  assay = createAssay({ storage, admin, passwordCost: 16, rateLimit: false, logger });
  await assay.ready;
  const { access_token } = await send("POST", "/auth/login", admin);
  token = String(access_token);
}

async function listen() {
  http = createServer(assay.node).listen(port, "127.0.0.1");
  await once(http, "listening");
  port = (http.address() as AddressInfo).port;
}

async function stop() {
  await assay.close();
  http?.closeAllConnections();
  await new Promise((resolve) => http?.close(resolve));
}

async function send(method: string, path: string, body: object): Promise<Record<string, unknown>> {
  const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
  const init = { method, headers, body: JSON.stringify(body) };
  const response = await assay.fetch(new Request(`http://assay.test/api/v1${path}`, init));
  return response.json() as Promise<Record<string, unknown>>;
}

let domains = 0;
let client: Client;
let provider: AssayServerProvider;
const changes: string[][] = [];

beforeEach(async () => {
  await start();
  await listen();
  for (const key of ["checkout", "banner"]) {
    await send("POST", "/feature-flags/", { key, name: key, status: "ACTIVE" });
    await send("PUT", `/feature-flags/${key}`, { status: "ACTIVE", rollout_percentage: 100 });
  }
  const { key } = await send("POST", "/api-keys", { name: "provider", scopes: ["read"] });
  provider = new AssayServerProvider({ apiKey: String(key), baseUrl: `http://127.0.0.1:${port}`, streaming: true });
  // Handlers outlive providers, so each test uses a separate domain.
  const domain = `test-${domains++}`;
  await OpenFeature.setProviderAndWait(domain, provider);
  client = OpenFeature.getClient(domain);
  changes.length = 0;
  client.addHandler(ProviderEvents.ConfigurationChanged, (details) => void changes.push(details?.flagsChanged ?? []));
});

afterEach(async () => {
  await OpenFeature.clearProviders();
  await stop();
});

const value = () => client.getBooleanValue("checkout", false, ada);

test("the provider receives a change of a flag, and its event names exactly the changed flags", async () => {
  expect(await value()).toBe(true);
  await send("PUT", "/feature-flags/checkout", { status: "INACTIVE" });
  await expect.poll(value).toBe(false);
  expect(changes).toEqual([["checkout"]]);
});

test("the provider receives all of many quick changes", async () => {
  for (let percentage = 99; percentage >= 0; percentage -= 9) {
    await send("PATCH", "/feature-flags/checkout/rollout", { rollout_percentage: percentage });
  }
  await expect.poll(value).toBe(false);
  expect(changes.every((flags) => flags.length === 1 && flags[0] === "checkout")).toBe(true);
});

test("the provider receives a change that was made while the server was unreachable", async () => {
  await stop();
  await start();
  await send("PUT", "/feature-flags/banner", { status: "INACTIVE" });
  await listen();
  await expect.poll(() => changes).toEqual([["banner"]]);
  await send("PUT", "/feature-flags/checkout", { status: "INACTIVE" });
  await expect.poll(value).toBe(false);
});

test("a closed provider receives no changes and closes its connections", async () => {
  await OpenFeature.clearProviders();
  await expect.poll(() => new Promise((resolve) => http?.getConnections((_, count) => resolve(count)))).toBe(0);
  await send("PUT", "/feature-flags/checkout", { status: "INACTIVE" });
  await expect(provider.resolveBooleanEvaluation("checkout", false, ada)).resolves.toMatchObject({ value: true });
});
