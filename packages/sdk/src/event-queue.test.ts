import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { EventQueueOptions, TrackingEvent } from "./event-box.ts";
import { createEventQueue } from "./event-queue.ts";
import { createFakeServer, type FakeAnswer } from "./fake-server.fixture.ts";

const accepted = () => Response.json({ accepted: 1, duplicates: 0, rejected: 0, errors: [] }, { status: 201 });
const purchase = (user_id: string, more: Partial<TrackingEvent> = {}) => ({ event_type: "purchase", user_id, ...more });

function connect(
  answer: (index: number) => FakeAnswer | Promise<FakeAnswer>,
  options: Partial<EventQueueOptions> = {},
) {
  const server = createFakeServer(answer);
  const drops: [number, string][] = [];
  const onDrop = (count: number, reason: Error) => drops.push([count, reason.message]);
  const queue = createEventQueue({ apiKey: "key", fetch: server.fetch, onDrop, ...options });
  const bodies = () => server.requests.map((request) => JSON.parse(request.text) as Body);
  const users = () => bodies().map((body) => body.events.map((event) => event.user_id).join());
  return { queue, drops, bodies, users, requests: server.requests };
}

interface Body {
  sent_at: string;
  events: TrackingEvent[];
}

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse("2026-01-31T09:30:00Z") });
  vi.spyOn(Math, "random").mockReturnValue(0);
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("a queue", () => {
  test("sends the events of one second as one batch, each with an id and its own time", async () => {
    const { queue, bodies, requests } = connect(accepted);
    queue.push(purchase("ada", { value: 9.5 }));
    await vi.advanceTimersByTimeAsync(600);
    queue.push(purchase("bob"));
    expect(requests).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(400);
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({ method: "POST", path: "/api/v1/tracking/events" });
    expect(requests[0]!.headers.get("x-api-key")).toBe("key");
    const [body] = bodies();
    const id = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(body).toEqual({
      sent_at: "2026-01-31T09:30:01.000Z",
      events: [
        { ...purchase("ada", { value: 9.5 }), event_id: id, timestamp: "2026-01-31T09:30:00.000Z" },
        { ...purchase("bob"), event_id: id, timestamp: "2026-01-31T09:30:00.600Z" },
      ],
    });
    expect(body!.events[0]!.event_id! < body!.events[1]!.event_id!).toBe(true);
    expect(queue.size).toBe(0);
  });

  test("keeps the id and the time of an event, and ignores later changes to the object", async () => {
    const { queue, bodies } = connect(accepted);
    const event = purchase("ada", { event_id: "mine", timestamp: "2026-01-01", event_metadata: { plan: "pro" } });
    queue.push(event);
    event.event_metadata!.plan = "changed";
    await queue.flush();
    expect(bodies()[0]!.events).toEqual([
      purchase("ada", { event_id: "mine", timestamp: "2026-01-01", event_metadata: { plan: "pro" } }),
    ]);
  });

  test("sends a full batch at once and the rest after it", async () => {
    const { queue, users } = connect(accepted, { batchSize: 2 });
    for (const user of ["a", "b", "c"]) queue.push(purchase(user));
    await vi.advanceTimersByTimeAsync(0);
    expect(users()).toEqual(["a,b", "c"]);
  });

  test("keeps a request below the body limit", async () => {
    const { queue, requests } = connect(accepted);
    for (let index = 0; index < 10; index++)
      queue.push(purchase("u", { event_metadata: { note: "€".repeat(100_000) } }));
    await queue.flush();
    expect(requests).toHaveLength(5);
    for (const { text } of requests) expect(new TextEncoder().encode(text).length).toBeLessThan(1_048_576);
  });
});

describe("a failing server", () => {
  test.each<[string, () => FakeAnswer]>([
    ["an error", () => new Response(null, { status: 500 })],
    ["a broken connection", () => new TypeError("fetch failed")],
    ["silence", () => "never"],
  ])("that answers with %s gets the same events again, later", async (_, answer) => {
    const { queue, drops, bodies } = connect((index) => (index === 0 ? answer() : accepted()));
    queue.push(purchase("ada"));
    await vi.advanceTimersByTimeAsync(1_000);
    queue.push(purchase("bob"));
    await vi.advanceTimersByTimeAsync(5_000 + 500);
    const [first, second] = bodies();
    expect(first!.events.map((event) => event.user_id)).toEqual(["ada"]);
    expect(second!.events.map((event) => event.user_id)).toEqual(["ada", "bob"]);
    expect(second!.events[0]).toEqual(first!.events[0]);
    expect(second!.sent_at > first!.sent_at).toBe(true);
    expect([queue.size, drops]).toEqual([0, []]);
  });

  test("gets no request before its Retry-After has passed", async () => {
    const limited = () => new Response(null, { status: 429, headers: { "retry-after": "60" } });
    const { queue, requests } = connect((index) => (index === 0 ? limited() : accepted()));
    queue.push(purchase("ada"));
    await vi.advanceTimersByTimeAsync(1_000 + 60_000);
    for (let index = 0; index < 200; index++) queue.push(purchase("bob"));
    expect(requests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(500);
    expect(queue.size).toBe(0);
  });

  test("that requests a pause of years gets the events after five minutes", async () => {
    const limited = () => new Response(null, { status: 429, headers: { "retry-after": "99999999" } });
    const { queue } = connect((index) => (index === 0 ? limited() : accepted()));
    queue.push(purchase("ada"));
    await vi.advanceTimersByTimeAsync(1_000 + 300_499);
    expect(queue.size).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(queue.size).toBe(0);
  });

  test("that accepted the events of a hidden page gets later events without a delay", async () => {
    const { queue, users } = connect((index) => (index === 0 ? new TypeError("fetch failed") : accepted()));
    queue.push(purchase("ada"));
    await queue.flush();
    queue.flushBeforeUnload();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(queue.size).toBe(0);
    queue.push(purchase("bob"));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(users()).toEqual(["ada", "ada", "bob"]);
  });

  test("does not fill the memory: the queue drops and reports events beyond its capacity", async () => {
    const { queue, drops } = connect(() => new Response(null, { status: 503 }), { capacity: 3 });
    for (const user of ["a", "b", "c", "d"]) queue.push(purchase(user));
    expect([queue.size, drops]).toEqual([3, [[1, "The queue is full (3 events)"]]]);
  });

  test("that rejects a batch as too large gets it in halves", async () => {
    const tooLarge = () => new Response(null, { status: 413 });
    const { queue, users, drops } = connect((index) => (index < 2 ? tooLarge() : accepted()));
    for (const user of ["a", "b", "c", "d"]) queue.push(purchase(user));
    await queue.flush();
    expect(users()).toEqual(["a,b,c,d", "a,b", "a", "b,c,d"]);
    expect(drops).toEqual([]);
  });

  test.each([400, 401, 403, 422])("that rejects a batch with %i does not get it again", async (status) => {
    const { queue, drops, requests } = connect((index) =>
      index === 0 ? Response.json({ detail: "No" }, { status }) : accepted(),
    );
    queue.push(purchase("ada"));
    await queue.flush();
    queue.push(purchase("bob"));
    await queue.flush();
    expect(requests).toHaveLength(2);
    expect(drops).toEqual([[1, `The server answered ${status}: No`]]);
  });

  test("that rejects events both when a page is hidden and when it is closed causes one report", async () => {
    const { queue, drops, requests } = connect(() => Response.json({ detail: "No" }, { status: 401 }));
    queue.push(purchase("ada"));
    queue.flushBeforeUnload();
    await queue.close();
    await vi.advanceTimersByTimeAsync(0);
    expect([requests.length, drops]).toEqual([2, [[1, "The server answered 401: No"]]]);
  });

  test("that rejects some events of a batch causes a report about them", async () => {
    const errors = [{ index: 1, loc: ["body", 1, "value"], msg: "Expected a number", type: "invalid_type" }];
    const { queue, drops } = connect(() => Response.json({ accepted: 1, rejected: 1, errors }, { status: 201 }));
    queue.push(purchase("ada"));
    queue.push(purchase("bob"));
    await queue.flush();
    expect(drops).toEqual([[1, expect.stringContaining("Expected a number")]]);
  });
});

describe("closing", () => {
  test("sends queued events and leaves no timer", async () => {
    const { queue, users } = connect(accepted);
    queue.push(purchase("ada"));
    await queue.close();
    await queue.close();
    expect([users(), queue.size, vi.getTimerCount()]).toEqual([["ada"], 0, 0]);
  });

  test("sends once and reports lost events", async () => {
    const { queue, drops, requests } = connect(() => new Response(null, { status: 503 }));
    queue.push(purchase("ada"));
    await queue.close();
    expect([requests.length, queue.size, vi.getTimerCount()]).toEqual([1, 0, 0]);
    expect(drops).toEqual([[1, "The queue was closed"]]);
  });
});

test("push reports an event that cannot be sent, and does not throw", () => {
  const { queue, drops } = connect(accepted);
  const circular: Record<string, never> = {};
  Object.assign(circular, { circular });
  queue.push(purchase("ada", { event_metadata: circular }));
  queue.push(purchase("ada", { event_metadata: { note: "x".repeat(400_000) } }));
  expect(drops).toEqual([
    [1, expect.stringContaining("circular")],
    [1, "An event is too large"],
  ]);
  expect(queue.size).toBe(0);
});

test.each([
  ["capacity", 0],
  ["batchSize", 1.5],
  ["flushIntervalMs", -1],
  ["onDrop", true],
])("a queue is not created where %s is %j", (option, value) => {
  const create = () => createEventQueue({ apiKey: "key", [option]: value });
  expect(create).toThrow(expect.objectContaining({ name: "OptionError", option }));
});
