import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OpenFeature, ProviderEvents, ProviderStatus } from "@openfeature/server-sdk";
import { createStorage } from "unstorage";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type FlagServer, KEY, startFlagServer, toDefinitions } from "../../sdk/src/fake-server.fixture.ts";
import { fileStorage } from "./file.ts";
import { AssayServerProvider, type RemoteProviderOptions } from "./index.ts";

const ada = { targetingKey: "ada" };
const on = { key: "checkout", version: 3 };
let folder: string;
let domains = 0;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-flags-"));
});
afterEach(async () => {
  await OpenFeature.clearProviders();
  vi.restoreAllMocks();
  await rm(folder, { recursive: true });
});

/** One process lifetime: a new provider, closed before the next. */
async function live(server: FlagServer, options: Partial<RemoteProviderOptions>) {
  const domain = `storage-${domains++}`;
  const provider = new AssayServerProvider({ apiKey: KEY, baseUrl: server.url, ...options });
  const started = OpenFeature.setProviderAndWait(domain, provider);
  const client = OpenFeature.getClient(domain);
  return { client, provider, started };
}

test.each([
  ["a file", (path: string) => () => fileStorage(path)],
  // Parses stored values, as unstorage drivers do.
  [
    "unstorage",
    () => {
      const storage = createStorage();
      return () => storage;
    },
  ],
])("definitions stored in %s make a restart possible while the server is unreachable", async (_, prepare) => {
  const open = prepare(join(folder, "flags.json"));
  const server = await startFlagServer(on);
  const first = await live(server, { storage: open() });
  await first.started;
  await first.provider.onClose();
  await server[Symbol.asyncDispose]();

  const second = await live(server, { storage: open(), reasons: "evaluation" });
  await second.started;
  expect(await second.client.getBooleanDetails("checkout", false, ada)).toMatchObject({
    value: true,
    reason: "STALE",
    flagMetadata: { cacheReason: "STATIC", evaluationReason: "STATIC", version: 3 },
  });
});

test("fresh definitions have priority over stored ones, and replace them", async () => {
  await using server = await startFlagServer(on);
  const storage = fileStorage(join(folder, "flags.json"));
  const first = await live(server, { storage });
  await first.started;
  await first.provider.onClose();
  server.definitions = toDefinitions({ ...on, enabled: false, version: 4 });
  const second = await live(server, { storage });
  await second.started;
  expect(await second.client.getBooleanDetails("checkout", true, ada)).toMatchObject({
    value: false,
    reason: "CACHED",
  });
  await second.provider.onClose();
  server.fault = "error";
  const third = await live(server, { storage });
  await third.started;
  expect(await third.client.getBooleanValue("checkout", true, ada)).toBe(false);
});

test("a provider that started from stored definitions is STALE until the server responds, then READY", async () => {
  vi.spyOn(Math, "random").mockReturnValue(0);
  await using server = await startFlagServer(on);
  const storage = createStorage();
  const first = await live(server, { storage });
  await first.started;
  await first.provider.onClose();
  server.fault = "error";
  const { client, started } = await live(server, { storage });
  const changes: unknown[] = [];
  client.addHandler(ProviderEvents.ConfigurationChanged, (details) => void changes.push(details?.flagsChanged));
  await started;
  await vi.waitFor(() => expect(client.providerStatus).toBe(ProviderStatus.STALE));
  server.definitions = toDefinitions(on, { key: "banner" });
  server.fault = undefined;
  await vi.waitFor(() => expect(client.providerStatus).toBe(ProviderStatus.READY));
  expect(changes).toEqual([["banner"]]);
});

test("a provider with a rejected key does not use stored definitions", async () => {
  await using server = await startFlagServer(on);
  const storage = createStorage();
  const first = await live(server, { storage });
  await first.started;
  server.fault = "rejected";
  const second = await live(server, { storage });
  await expect(second.started).rejects.toMatchObject({ code: "PROVIDER_FATAL" });
  expect(await second.client.getBooleanDetails("checkout", false, ada)).toMatchObject({
    value: false,
    errorCode: "PROVIDER_FATAL",
  });
});

test("stored definitions are not used with another key or another server", async () => {
  await using server = await startFlagServer(on);
  const storage = createStorage();
  await (await live(server, { storage })).started;
  server.fault = "error";
  await using other = await startFlagServer();
  other.fault = "error";
  await expect((await live(other, { storage })).started).rejects.toMatchObject({ code: "GENERAL" });
  await expect((await live(server, { storage, apiKey: "asy_other" })).started).rejects.toThrow();
});

test("the provider logs errors of the storage and of its content, and keeps evaluating", async () => {
  await using server = await startFlagServer(on);
  const path = join(folder, "flags.json");
  const logger = { info: vi.fn(), warn: vi.fn() };
  const { started, client, provider } = await live(server, { storage: fileStorage(folder), logger });
  await started;
  expect(await client.getBooleanValue("checkout", false, ada)).toBe(true);
  await provider.onClose();
  expect(logger.warn).toHaveBeenCalledWith("The storage of definitions failed", expect.any(Error));

  await writeFile(path, "{");
  server.fault = "error";
  const second = await live(server, { storage: fileStorage(path), logger });
  await expect(second.started).rejects.toMatchObject({ code: "GENERAL" });
  expect(await second.client.getBooleanDetails("checkout", true, ada)).toMatchObject({
    value: true,
    errorCode: "PROVIDER_NOT_READY",
  });
});
