import { OpenFeature, ProviderEvents } from "@openfeature/web-sdk";
import { afterEach, expect, test, vi } from "vitest";
import { startAssay } from "./assay-server.fixture.ts";
import { BULK, connect, FLAGS, hold, toProvider } from "./provider.fixture.ts";

const STREAM = "/openfeature/stream";

afterEach(async () => {
  await OpenFeature.clearProviders();
  vi.doUnmock("@assay/sdk/stream");
  vi.resetModules();
});

test.each(["local", "remote"] as const)(
  "the page receives a change of a flag, and its event names exactly the changed flags: %s",
  async (evaluation) => {
    await using server = await startAssay("checkout", "banner");
    const client = await connect(toProvider(server, { evaluation, streaming: true }));
    await expect.poll(() => server.received.map(({ path }) => path)).toContain(STREAM);
    const changes: (string[] | undefined)[] = [];
    client.addHandler(ProviderEvents.ConfigurationChanged, (details) => void changes.push(details?.flagsChanged));
    await server.admin.request("PUT /feature-flags/{id}", {
      params: { id: "checkout" },
      body: { status: "INACTIVE" },
    });
    const reason = () => client.getBooleanDetails("checkout", false).flagMetadata.evaluationReason;
    await expect.poll(reason).toBe("DISABLED");
    expect(changes).toEqual([["checkout"]]);
    expect(client.getBooleanValue("banner", false)).toBe(true);
  },
);

test("a change announced during a request is requested after it, by its version: remote", async () => {
  await using server = await startAssay("checkout", "banner");
  let gate: ReturnType<typeof hold> | undefined;
  let heard = "";
  const listening = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      heard += new TextDecoder().decode(chunk);
      controller.enqueue(chunk);
    },
  });
  const slow = async (request: Request) => {
    const response = await fetch(request);
    if (request.url.endsWith(STREAM)) return new Response(response.body!.pipeThrough(listening), response);
    await gate?.held;
    return response;
  };
  const client = await connect(toProvider(server, { evaluation: "remote", streaming: true, fetch: slow }));
  // One on start, one on listening.
  const asked = () => server.received.map(({ path }) => path).filter((path) => path.startsWith(BULK));
  await expect.poll(() => asked().length).toBe(2);
  const turnOff = (id: string) =>
    server.admin.request("PUT /feature-flags/{id}", { params: { id }, body: { status: "INACTIVE" } });
  gate = hold();
  await turnOff("banner");
  await expect.poll(() => asked().length).toBe(3);
  await expect.poll(() => server.received.findLast(({ path }) => path.startsWith(BULK))!.status).toBe(200);
  await turnOff("checkout");
  await expect.poll(() => heard).toContain("checkout");
  gate.release();
  await expect.poll(() => client.getBooleanValue("checkout", true)).toBe(false);
  const announced = [...heard.matchAll(/^id: (.*)$/gm)].map(([, id]) => id);
  expect(asked().slice(2)).toEqual(announced.slice(-2).map((id) => `${BULK}?flagConfigEtag=${id}`));
});

test("if the streaming code cannot be loaded, the provider logs it and changes arrive with the next fetch", async () => {
  vi.doMock("@assay/sdk/stream", () => {
    throw new TypeError("Failed to fetch dynamically imported module");
  });
  await using server = await startAssay("checkout");
  let now = 0;
  const logger = { info: vi.fn(), warn: vi.fn() };
  const client = await connect(toProvider(server, { streaming: true, logger, now: () => now }));
  await expect.poll(() => logger.warn.mock.calls).toMatchObject([["Streaming failed", {}]]);
  expect(client.getBooleanDetails("checkout", false)).toMatchObject({ value: true, reason: "CACHED" });
  now = 300_000;
  expect(client.getBooleanDetails("checkout", false).reason).toBe("STATIC");
  await expect.poll(() => client.getBooleanDetails("checkout", false).reason).toBe("CACHED");
  expect(server.received.map(({ path }) => path)).toEqual([FLAGS, FLAGS]);
});

test("a provider closed while the streaming code loads opens no stream until it is set again", async () => {
  const gate = hold();
  const loading = vi.fn(() => gate.held);
  vi.doMock("@assay/sdk/stream", async (importOriginal) => {
    await loading();
    return importOriginal();
  });
  await using server = await startAssay("checkout");
  const provider = toProvider(server, { streaming: true });
  await connect(provider);
  await expect.poll(() => loading.mock.calls.length).toBe(1);
  await OpenFeature.clearProviders();
  gate.release();
  await connect(provider);
  await expect.poll(() => server.statuses(STREAM)).toEqual([200]);
});
