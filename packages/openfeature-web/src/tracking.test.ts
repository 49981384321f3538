import { OpenFeature, type TrackingEventDetails } from "@openfeature/web-sdk";
import { afterEach, expect, test, vi } from "vitest";
import { eventsOf, startExperiment } from "./assay-server.fixture.ts";
import { bob, connect, EVENTS, FLAGS, hold, toProvider } from "./provider.fixture.ts";

afterEach(async () => {
  await OpenFeature.clearProviders();
  vi.unstubAllGlobals();
});

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
    for (let index = 0; index < 40; index++) client.track(`read_${index}`, letter);
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
