import { AssayServerProvider } from "@assay/openfeature-server";
import { AssayWebProvider } from "@assay/openfeature-web";
import { OFREPProvider } from "@openfeature/ofrep-provider";
import { OFREPWebProvider } from "@openfeature/ofrep-web-provider";
import { OpenFeature as OnServers } from "@openfeature/server-sdk";
import { OpenFeature as InBrowsers } from "@openfeature/web-sdk";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type RunningRelay, startUpstream, type Upstream } from "./relay.fixture.ts";

let upstream: Upstream;
let relay: RunningRelay;
beforeEach(async () => {
  upstream = await startUpstream();
  for (const key of ["one", "two"]) await upstream.create(key, { client_side: true, rollout_percentage: 50 });
  await upstream.create("hidden");
  relay = await upstream.relay();
});
afterEach(async () => {
  await Promise.all([OnServers.clearProviders(), InBrowsers.clearProviders()]);
  await upstream.close();
});

const STREAM = "/api/v1/openfeature/stream";

/** Opens a stream, and collects its text. */
async function open(key: string, headers: Record<string, string> = {}) {
  const ending = new AbortController();
  const init = { headers: { "x-api-key": key, ...headers }, signal: ending.signal };
  const response = await fetch(`${relay.url}${STREAM}`, init);
  let text = "";
  let isOpen = true;
  void (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk);
  })()
    .catch(() => {})
    .finally(() => {
      isOpen = false;
    });
  return {
    status: response.status,
    headers: response.headers,
    text: () => text,
    isOpen: () => isOpen,
    close: () => ending.abort(),
  };
}

const versionOf = async (key: string) =>
  (await upstream.send("/api/v1/openfeature/flags", key)).headers.get("etag")!.slice(1, -1);

test("a change reaches the readers of the relay that may see it, with the version of the upstream", async () => {
  const [server, client] = await Promise.all([open(upstream.serverKey), open(upstream.clientKey)]);
  expect(server.headers.get("content-type")).toBe("text/event-stream");
  expect(server.headers.get("cache-control")).toBe("no-store, no-transform");
  await expect.poll(async () => (await relay.ready()).streams).toBe(2);
  await upstream.update("hidden", { rollout_percentage: 1 });
  await expect.poll(server.text).toContain('"flags":["hidden"]');
  await upstream.update("one", { rollout_percentage: 1 });
  await expect.poll(server.text).toContain('"flags":["one"]');
  await expect.poll(client.text).toContain('"flags":["one"]');
  expect(server.text()).toContain(`id: ${await versionOf(upstream.serverKey)}`);
  expect(client.text()).toContain(`id: ${await versionOf(upstream.clientKey)}`);
  expect(client.text()).not.toContain("hidden");
  for (const stream of [server, client]) stream.close();
  await expect.poll(async () => (await relay.ready()).streams).toBe(0);
});

test("a reader with an old version is asked to fetch again, and one with the current version is not", async () => {
  const version = await versionOf(upstream.serverKey);
  const [old, current] = await Promise.all([
    open(upstream.serverKey, { "last-event-id": "old" }),
    open(upstream.serverKey, { "last-event-id": `${version}.program` }),
  ]);
  await expect.poll(old.text).toContain(`event: refetch\nid: ${version}`);
  await expect.poll(current.text).toContain("retry: 2000");
  expect(current.text()).not.toContain("refetch");
  old.close();
  current.close();
});

test("there is one stream to the upstream, however many readers there are", async () => {
  const streams = await Promise.all(Array.from({ length: 30 }, () => open(upstream.clientKey)));
  await expect.poll(async () => (await relay.ready()).streams).toBe(30);
  const paths: string[] = [];
  upstream.answerWith((request, response) => {
    paths.push(request.url!);
    upstream.assay.node(request, response);
  });
  await upstream.update("two", { rollout_percentage: 3 });
  for (const stream of streams) await expect.poll(stream.text).toContain('"flags":["two"]');
  expect(paths.filter((path) => path.endsWith("/flags")).length).toBeLessThan(6);
  expect(paths.filter((path) => path === STREAM)).toEqual([]);
  for (const stream of streams) stream.close();
});

test("limits open streams", async () => {
  const few = await upstream.relay({ maxStreams: 1 });
  relay = few;
  const first = await open(upstream.serverKey);
  const second = await open(upstream.serverKey);
  expect([first.status, second.status]).toEqual([200, 503]);
  first.close();
});

test("a stream ends when its key is revoked, and others stay open", async () => {
  relay = await upstream.relay({ keyTtlMs: 0 });
  const { key, id } = await upstream.keyOf("CLIENT");
  const [revoked, other] = [await open(key), await open(upstream.clientKey)];
  await upstream.revoke(id);
  // The relay checks the keys of streams every 15 seconds.
  await expect.poll(revoked.isOpen).toBe(false);
  expect(other.isOpen()).toBe(true);
  other.close();
});

let domains = 0;
const quiet = { error() {}, warn() {}, info() {}, debug() {} };
OnServers.setLogger(quiet);
InBrowsers.setLogger(quiet);
const users = Array.from({ length: 25 }, (_, index) => ({ targetingKey: `person-${index}` }));

/** Returns what every user gets for every flag. */
async function answersOnServers(
  provider: ConstructorParameters<typeof AssayServerProvider> extends unknown ? unknown : never,
) {
  const domain = `relay-${domains++}`;
  await OnServers.setProviderAndWait(domain, provider as AssayServerProvider);
  const client = OnServers.getClient(domain);
  const answers: unknown[] = [];
  for (const user of users)
    for (const key of ["one", "two"]) answers.push(await client.getBooleanValue(key, false, user));
  return { answers, client };
}

async function answersInBrowsers(provider: unknown) {
  const domain = `relay-${domains++}`;
  await InBrowsers.setContext(domain, users[0]!);
  await InBrowsers.setProviderAndWait(domain, provider as AssayWebProvider);
  const client = InBrowsers.getClient(domain);
  const answers: unknown[] = [];
  for (const user of users) {
    await InBrowsers.setContext(domain, { ...user });
    for (const key of ["one", "two"]) answers.push(client.getBooleanValue(key, false));
  }
  return { answers, client };
}

test("stock providers give every user the same through the relay as through the upstream", async () => {
  const storage = { getItem: () => null, setItem() {} };
  const headers: [string, string][] = [["X-API-Key", upstream.clientKey]];
  const asked = async (baseUrl: string) => {
    const web = { apiKey: upstream.clientKey, baseUrl, storage };
    return [
      await answersOnServers(new AssayServerProvider({ apiKey: upstream.serverKey, baseUrl })),
      await answersOnServers(new OFREPProvider({ baseUrl, headers })),
      await answersInBrowsers(new AssayWebProvider(web)),
      await answersInBrowsers(new AssayWebProvider({ ...web, evaluation: "remote" })),
      await answersInBrowsers(new OFREPWebProvider({ baseUrl, headers, pollInterval: 0 })),
    ].map(({ answers }) => answers);
  };
  const [through, direct] = [await asked(relay.url), await asked(upstream.url)];
  expect(through).toEqual(direct);
  expect(new Set(direct[0])).toEqual(new Set([true, false]));
  for (const answers of direct) expect(answers).toEqual(direct[0]);
});

test("a change upstream reaches streaming providers of the relay", async () => {
  const storage = { getItem: () => null, setItem() {} };
  const onServer = new AssayServerProvider({ apiKey: upstream.serverKey, baseUrl: relay.url, streaming: true });
  const inBrowser = new AssayWebProvider({ apiKey: upstream.clientKey, baseUrl: relay.url, streaming: true, storage });
  const [server, browser] = [await answersOnServers(onServer), await answersInBrowsers(inBrowser)];
  await expect.poll(async () => (await relay.ready()).streams).toBe(2);
  for (const rollout_percentage of [100, 0]) {
    await upstream.update("one", { rollout_percentage });
    const isOn = rollout_percentage === 100;
    await expect.poll(() => server.client.getBooleanValue("one", !isOn, users[0]!)).toBe(isOn);
    await expect.poll(() => browser.client.getBooleanValue("one", !isOn)).toBe(isOn);
  }
});

test("a provider tracks through the relay", async () => {
  const provider = new AssayServerProvider({ apiKey: upstream.serverKey, baseUrl: relay.url });
  const { client } = await answersOnServers(provider);
  client.track("purchase", { targetingKey: "ada" }, { value: 3 });
  await provider.onClose();
  await expect.poll(() => upstream.eventsOf("ada")).toMatchObject([{ event_type: "purchase", value: 3 }]);
});
