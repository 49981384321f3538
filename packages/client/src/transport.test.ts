import { describe, expect, test } from "vitest";
import { createTestClock, startApi } from "./api.fixture.ts";
import { type Call, type ClientOptions, createTransport } from "./transport.ts";

/** Sends one request to a server that gives these answers in turn, and repeats the last one. */
async function attempt(answers: Parameters<typeof startApi>[0], route: string, call?: Call, options?: ClientOptions) {
  const clock = createTestClock();
  await using api = await startApi(answers);
  const send = createTransport({ baseUrl: api.url, ...options }, clock);
  const outcome = await send(route, call).then(
    (reply) => reply.data,
    (error: Error) => error,
  );
  return { outcome, sent: api.seen.length, naps: clock.naps, seen: api.seen };
}

const onceUnavailable = (_: unknown, index: number) => (index === 0 ? { status: 503 } : { body: { ok: true } });

describe("requests that may be repeated:", () => {
  const event = { event_type: "purchase", user_id: "u", event_id: "e-1" };
  test.each<[string, string, Call]>([
    ["a GET", "GET /auth/me", {}],
    ["a PUT", "PUT /feature-flags/{id}", { params: { id: "f" }, body: { name: "F" } }],
    ["a DELETE", "DELETE /feature-flags/{id}", { params: { id: "f" } }],
    ["an evaluation", "POST /feature-flags/{key}/evaluate", { params: { key: "f" }, body: { user_id: "u" } }],
    ["a POST with an idempotency key", "POST /feature-flags/", { body: { key: "f" }, idempotencyKey: "k-1" }],
    ["an event with an id", "POST /tracking/track", { body: event }],
    ["events that all have ids", "POST /tracking/events", { body: [event, event] }],
    ["a batch whose events all have ids", "POST /tracking/events", { body: { events: [event] } }],
  ])("%s", async (_, route, call) => {
    const { outcome, sent, seen } = await attempt(onceUnavailable, route, call);
    expect(outcome).toEqual({ ok: true });
    expect(sent).toBe(2);
    expect(seen[1]).toEqual(seen[0]);
  });

  test.each<[string, string, Call]>([
    ["a creating POST", "POST /feature-flags/", { body: { key: "f" } }],
    ["an event without an id", "POST /tracking/track", { body: { ...event, event_id: undefined } }],
    ["events of which one has no id", "POST /tracking/events", { body: [event, { ...event, event_id: null }] }],
  ])("not %s, because it may have taken effect", async (_, route, call) => {
    const { outcome, sent } = await attempt(onceUnavailable, route, call);
    expect(outcome).toMatchObject({ code: "UNAVAILABLE" });
    expect(sent).toBe(1);
  });

  test("any request that the rate limit rejected, after the delay that the server names", async () => {
    const limited = (_: unknown, index: number) =>
      index === 0 ? { status: 429, headers: { "retry-after": "7" } } : { status: 201, body: { ok: true } };
    const { outcome, naps } = await attempt(limited, "POST /feature-flags/", { body: { key: "f" } });
    expect(outcome).toEqual({ ok: true });
    expect(naps).toEqual([7_125]);
  });
});

describe("retries", () => {
  test("back off exponentially with jitter, up to the maximum", async () => {
    const { outcome, sent, naps } = await attempt(() => ({ status: 500 }), "GET /auth/me", { retries: 7 });
    expect(outcome).toMatchObject({ code: "SERVER", status: 500 });
    expect(sent).toBe(8);
    expect(naps).toEqual([187.5, 375, 750, 1_500, 3_000, 6_000, 6_000]);
  });

  test("wait until the date that Retry-After names", async () => {
    const headers = { "retry-after": new Date(Date.now() + 20_000).toUTCString() };
    const { naps } = await attempt(() => ({ status: 503, headers }), "GET /auth/me", { retries: 1 });
    expect(naps[0]).toBeGreaterThan(15_000);
    expect(naps[0]).toBeLessThan(21_000);
  });

  test.each(["", "soon", "-5", "0", "Sat, 31 Jan 2026 09:30:03 GMT", "Sat, 99 Foo 2099 99:99:99 GMT"])(
    "use their own delay if Retry-After is %j",
    async (value) => {
      const headers = { "retry-after": value };
      const { naps } = await attempt(() => ({ status: 503, headers }), "GET /auth/me", { retries: 1 });
      expect(naps).toEqual([187.5]);
    },
  );

  test("stop at once if the server asks for a longer delay than the timeout", async () => {
    const limited = () => ({
      status: 429,
      headers: { "retry-after": "60" },
      body: { detail: "Retry after 60 seconds" },
    });
    const { outcome, sent, naps } = await attempt(limited, "GET /auth/me");
    expect(outcome).toMatchObject({ code: "RATE_LIMIT", retryAfter: 60 });
    expect([sent, naps]).toEqual([1, []]);
  });

  test("follow a timeout and an unreachable server", async () => {
    const slow = await attempt((_, index) => (index === 0 ? { hang: true } : { body: 1 }), "GET /auth/me", {
      timeout: 1_000,
    });
    expect([slow.outcome, slow.sent]).toEqual([1, 2]);
    const refused = await attempt(() => ({}), "GET /auth/me", {}, { baseUrl: "http://127.0.0.1:1" });
    expect(refused.outcome).toMatchObject({ code: "NETWORK" });
    expect(refused.naps).toHaveLength(2);
  });

  test("do not follow a permanent failure", async () => {
    for (const status of [400, 401, 403, 404, 409, 413, 422]) {
      expect(await attempt(() => ({ status }), "GET /auth/me")).toMatchObject({ sent: 1, naps: [] });
    }
  });
});
