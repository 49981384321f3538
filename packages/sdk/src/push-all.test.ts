import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { TrackingEvent } from "./event-box.ts";
import { createEventQueue } from "./event-queue.ts";
import { createFakeServer, type FakeAnswer } from "./fake-server.fixture.ts";
import { pushAll } from "./push-all.ts";

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse("2026-01-31T09:30:00Z") });
});

afterEach(() => {
  vi.useRealTimers();
});

/** A queue of ten events in batches of five, and events that count how many of them were read. */
function setUp(answer: (index: number) => FakeAnswer) {
  const { fetch, requests } = createFakeServer(answer);
  const drops: number[] = [];
  const queue = createEventQueue({ apiKey: "key", fetch, capacity: 10, batchSize: 5, onDrop: (n) => drops.push(n) });
  const read = { count: 0 };
  function* events(count: number): Generator<TrackingEvent> {
    for (let user = 0; user < count; user++) {
      read.count++;
      yield { event_type: "purchase", user_id: `user-${user}` };
    }
  }
  const delivered = () =>
    requests.flatMap(({ text }) => (JSON.parse(text) as { events: TrackingEvent[] }).events.map((one) => one.user_id));
  return { queue, drops, read, events, delivered };
}

const accepted = () => Response.json({ accepted: 5, duplicates: 0, rejected: 0, errors: [] }, { status: 201 });

test("queues more events than fit, and loses none", async () => {
  const { queue, drops, events, delivered } = setUp(accepted);
  const pushed = pushAll(queue, events(53), { atMost: 10 });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await pushed).toBe(53);
  await queue.close();
  expect(delivered()).toEqual(Array.from({ length: 53 }, (_, user) => `user-${user}`));
  expect(drops).toEqual([]);
});

test("reads no event while the server is away, and goes on when it is back", async () => {
  let isAway = true;
  const { queue, drops, read, events, delivered } = setUp(() =>
    isAway ? new Response(null, { status: 503, headers: { "retry-after": "60" } }) : accepted(),
  );
  const pushed = pushAll(queue, events(20), { atMost: 10 });
  await vi.advanceTimersByTimeAsync(59_000);
  // Ten are queued, and the next one waits. One request was sent: the server asked for a minute.
  expect([queue.size, read.count, delivered().length]).toEqual([10, 11, 5]);
  isAway = false;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await pushed).toBe(20);
  await queue.close();
  expect(new Set(delivered()).size).toBe(20);
  expect(drops).toEqual([]);
});

test("stops waiting when its signal is aborted", async () => {
  const { queue, events } = setUp(() => new Response(null, { status: 503 }));
  const stop = new AbortController();
  const pushed = pushAll(queue, events(20), { atMost: 10, signal: stop.signal });
  const outcome = expect(pushed).rejects.toThrow("enough");
  await vi.advanceTimersByTimeAsync(100);
  stop.abort(new Error("enough"));
  await vi.advanceTimersByTimeAsync(100);
  await outcome;
  expect(queue.size).toBe(10);
});
