import { OpenFeature, type TrackingEventDetails } from "@openfeature/web-sdk";
import { afterEach, expect, test, vi } from "vitest";
import { type AssayServer, eventsOf, startExperiment } from "./assay-server.fixture.ts";
import { bob, connect, EVENTS, FLAGS, hold, toProvider } from "./provider.fixture.ts";

afterEach(async () => {
  await OpenFeature.clearProviders();
  vi.unstubAllGlobals();
  vi.doUnmock(SENDER);
  vi.resetModules();
});

const SENDER = "@assay/sdk/sender";

/** Loads the code that sends events, which the first event of a page loads as well. */
async function senderLoaded() {
  await import("@assay/sdk/sender");
  await new Promise((resolve) => setImmediate(resolve));
}

test.each([
  ["local", 2],
  ["remote", 4],
] as const)("the provider sends one exposure for each user, flag and variant: %s", async (evaluation, expected) => {
  await using server = await startExperiment();
  const client = await connect(toProvider(server, { evaluation, tracking: { flushIntervalMs: 1 } }));
  const variant = client.getStringValue("checkout", "");
  client.getStringValue("checkout", "");
  client.getBooleanValue("banner", false);
  await OpenFeature.setContext(client.domain, bob);
  client.getStringValue("checkout", "");
  client.getBooleanValue("banner", false);
  await expect.poll(() => eventsOf(server).length).toBe(expected);
  expect(eventsOf(server)[0]).toMatchObject({
    event_type: "exposure",
    user_id: "ada",
    feature_flag_key: "checkout",
    variant_id: variant,
  });
  const assigned = async (user_id: string) => {
    const { assignments } = await server.admin.request("GET /tracking/users/{user_id}", { params: { user_id } });
    return assignments.map(({ experiment_id }) => experiment_id);
  };
  await expect.poll(() => assigned("ada")).toEqual([server.experiment]);
  await expect.poll(() => assigned("bob")).toEqual([server.experiment]);
});

test("track() sends value and metadata, and nothing with tracking: false", async () => {
  await using server = await startExperiment();
  const silent = await connect(toProvider(server, { tracking: false }));
  silent.getStringValue("checkout", "");
  silent.track("purchase", { value: 1 });
  const client = await connect(toProvider(server, { tracking: { flushIntervalMs: 1 } }));
  client.track("purchase", { value: 19.9, currency: "EUR" } as TrackingEventDetails);
  await expect
    .poll(() => eventsOf(server))
    .toMatchObject([{ event_type: "purchase", user_id: "ada", value: 19.9, event_metadata: { currency: "EUR" } }]);
});

/** The parts of a page that a provider uses. */
function stubPage() {
  const page = Object.assign(new EventTarget(), { visibilityState: "visible" });
  const window = new EventTarget();
  vi.stubGlobal("document", page);
  vi.stubGlobal("addEventListener", window.addEventListener.bind(window));
  return {
    show(visibilityState: "visible" | "hidden") {
      page.visibilityState = visibilityState;
      page.dispatchEvent(new Event("visibilitychange"));
    },
    tell: (type: string) => window.dispatchEvent(new Event(type)),
  };
}

test.each(["hidden", "pagehide"])(
  "the provider sends queued events by a keepalive request when the page is left (%s)",
  async (how) => {
    await using server = await startExperiment();
    const page = stubPage();
    const sent: { keepalive: boolean; bytes: number }[] = [];
    const fetch = async (request: Request) => {
      if (request.url.endsWith(EVENTS)) {
        sent.push({ keepalive: request.keepalive, bytes: (await request.clone().arrayBuffer()).byteLength });
      }
      return globalThis.fetch(request);
    };
    const client = await connect(toProvider(server, { fetch, tracking: { flushIntervalMs: 3_600_000 } }));
    const letter = { text: "é".repeat(1_000) } as TrackingEventDetails;
    client.track("read_0", letter);
    await senderLoaded();
    for (let index = 1; index < 40; index++) client.track(`read_${index}`, letter);
    if (how === "hidden") page.show("hidden");
    else page.tell("pagehide");
    // Events that do not fit follow once the server has accepted the others, because the page is still there.
    await expect.poll(() => server.statuses(EVENTS)).toEqual([201, 201]);
    expect(sent.map(({ keepalive }) => keepalive)).toEqual([true, true]);
    expect(sent[0]!.bytes).toBeLessThanOrEqual(65_536);
    expect(sent[0]!.bytes + sent[1]!.bytes).toBeGreaterThan(65_536);
    const types = () => new Set(eventsOf(server).map(({ event_type }) => event_type));
    expect(types().size).toBe(40);
  },
);

test.each(["visible", "online"])(
  "the provider fetches definitions when the page is %s again, until it is closed",
  async (how) => {
    await using server = await startExperiment();
    const page = stubPage();
    const client = await connect(toProvider(server));
    const come = () => (how === "visible" ? page.show("visible") : page.tell("online"));
    await server.admin.request("PUT /feature-flags/{id}", {
      params: { id: "banner" },
      body: { status: "INACTIVE" },
    });
    expect(client.getBooleanValue("banner", false)).toBe(true);
    come();
    await expect.poll(() => client.getBooleanValue("banner", true)).toBe(false);
    expect(server.statuses(FLAGS)).toEqual([200, 200]);
    await OpenFeature.clearProviders();
    come();
    const turn = hold();
    setImmediate(turn.release);
    await turn.held;
    expect(server.statuses(FLAGS)).toEqual([200, 200]);
  },
);

const IDLE = { flushIntervalMs: 3_600_000 };
const sentBy = (server: AssayServer) => eventsOf(server).map(({ event_type }) => event_type);

/** The types of the events that the server has stored for Ada. */
async function storedOf(server: AssayServer) {
  const { events } = await server.admin.request("GET /tracking/users/{user_id}", { params: { user_id: "ada" } });
  return events.map(({ event_type }) => event_type).sort();
}

test("a page that is left while the sender loads sends its events without it, and each counts once", async () => {
  const gate = hold();
  vi.doMock(SENDER, async (importOriginal) => {
    await gate.held;
    return importOriginal();
  });
  await using server = await startExperiment();
  const page = stubPage();
  const kept: boolean[] = [];
  const fetch = (request: Request) => {
    if (request.url.endsWith(EVENTS)) kept.push(request.keepalive);
    return globalThis.fetch(request);
  };
  const client = await connect(toProvider(server, { fetch, tracking: { flushIntervalMs: 1 } }));
  client.track("opened");
  client.track("closed");
  // A page that is left is hidden first.
  page.show("hidden");
  page.tell("pagehide");
  await expect.poll(() => sentBy(server)).toEqual(["opened", "closed"]);
  expect(kept).toEqual([true, true]);
  // The page was only hidden: the sender does not know what has arrived, and the server has it already.
  gate.release();
  await expect.poll(() => sentBy(server)).toEqual(["opened", "closed", "opened", "closed"]);
  expect(kept).toEqual([true, true, false]);
  expect(await storedOf(server)).toEqual(["closed", "opened"]);
});

test("if the sender cannot be loaded, the provider sends events without it, and the next one loads it again", async () => {
  const load = vi.fn();
  load.mockImplementationOnce(() => {
    throw new TypeError("Failed to fetch dynamically imported module");
  });
  vi.doMock(SENDER, async (importOriginal) => {
    load();
    return importOriginal();
  });
  await using server = await startExperiment();
  const logger = { info: vi.fn(), warn: vi.fn() };
  const client = await connect(toProvider(server, { logger, tracking: { flushIntervalMs: 1 } }));
  client.track("first");
  await expect.poll(() => logger.warn.mock.calls).toEqual([[expect.stringMatching("^Sending failed: ")]]);
  await expect.poll(() => sentBy(server)).toEqual(["first"]);
  vi.resetModules();
  client.track("second");
  // The sender does not know that the first one has arrived.
  await expect.poll(() => sentBy(server)).toEqual(["first", "first", "second"]);
  expect(await storedOf(server)).toEqual(["first", "second"]);
});

test("while the sender cannot be loaded, each event is sent once", async () => {
  vi.doMock(SENDER, () => {
    throw new TypeError("Failed to fetch dynamically imported module");
  });
  await using server = await startExperiment();
  const client = await connect(toProvider(server, { tracking: { flushIntervalMs: 1 } }));
  for (const name of ["first", "second", "third"]) {
    client.track(name);
    await expect.poll(() => sentBy(server)).toContain(name);
  }
  expect(sentBy(server)).toEqual(["first", "second", "third"]);
});

test("a provider that is closed while the sender loads sends what was tracked", async () => {
  const gate = hold();
  vi.doMock(SENDER, async (importOriginal) => {
    await gate.held;
    return importOriginal();
  });
  await using server = await startExperiment();
  const client = await connect(toProvider(server, { tracking: IDLE }));
  client.track("opened");
  const closed = OpenFeature.clearProviders();
  gate.release();
  await closed;
  expect(await storedOf(server)).toEqual(["opened"]);
});

test("the queue of a page checks its options, and is full as any other", async () => {
  await using server = await startExperiment();
  expect(() => toProvider(server, { tracking: { batchSize: 0 } })).toThrow("tracking.batchSize must be");
  const onDrop = vi.fn();
  const client = await connect(toProvider(server, { tracking: { ...IDLE, capacity: 2, onDrop } }));
  for (const name of ["first", "second", "third"]) client.track(name);
  expect(onDrop.mock.calls).toEqual([[1, new Error("The queue is full (2 events)")]]);
  await OpenFeature.clearProviders();
  expect(await storedOf(server)).toEqual(["first", "second"]);
});

test("a full batch is sent at once, also if it was full before the sender was loaded", async () => {
  await using server = await startExperiment();
  const client = await connect(toProvider(server, { tracking: { ...IDLE, batchSize: 2 } }));
  client.track("first");
  client.track("second");
  await expect.poll(() => sentBy(server)).toEqual(["first", "second"]);
  client.track("third");
  client.track("fourth");
  await expect.poll(() => sentBy(server)).toEqual(["first", "second", "third", "fourth"]);
});
