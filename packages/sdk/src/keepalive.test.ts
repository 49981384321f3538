import fc from "fast-check";
import { expect, test } from "vitest";
import { createEventQueue } from "./event-queue.ts";

/** The limit of browsers for the bodies of all pending keepalive requests of a page. */
const LIMIT = 65_536;

/** A page whose server answers when the test says so. */
function openPage() {
  const pending: { text: string; users: string[]; answer(isGood: boolean): void; refuse(): void }[] = [];
  const sizes: number[] = [];
  const bytesOf = (text: string) => new TextEncoder().encode(text).length;
  const pendingBytes = () => pending.reduce((sum, { text }) => sum + bytesOf(text), 0);
  const fetch = async (request: Request) => {
    expect(request.keepalive).toBe(true);
    const text = await request.text();
    const users = (JSON.parse(text) as { events: { user_id: string }[] }).events.map(({ user_id }) => user_id);
    return new Promise<Response>((resolve, reject) => {
      const answer = (isGood: boolean) => {
        pending.splice(pending.indexOf(entry), 1);
        resolve(
          isGood ? Response.json({ accepted: users.length }, { status: 201 }) : new Response(null, { status: 503 }),
        );
      };
      const refuse = () => {
        pending.splice(pending.indexOf(entry), 1);
        reject(new TypeError("Failed to fetch"));
      };
      const entry = { text, users, answer, refuse };
      pending.push(entry);
      sizes.push(bytesOf(text));
    });
  };
  // Only keepalive requests: no other batch is due.
  const options = { apiKey: "key", fetch, timeout: 3_600_000, flushIntervalMs: 3_600_000, batchSize: 100_000 };
  return { pending, sizes, pendingBytes, create: () => createEventQueue({ ...options, capacity: 100_000 }) };
}

/** Lets pending promises run: those of a request, of its body and of its response. */
const turn = () => new Promise((resolve) => setTimeout(resolve, 0));

const toEvent = (user_id: string, characters: number, character = "x") => ({
  event_type: "read",
  user_id,
  event_metadata: { text: character.repeat(characters) },
});

test("requests of a page that is left share 64 kB, in bytes of UTF-8", async () => {
  const { pending, sizes, pendingBytes, create } = openPage();
  const [first, second] = [create(), create()];
  for (const user of ["a", "b"]) first.push(toEvent(user, 10_000, "é"));
  first.flushBeforeUnload();
  await turn();
  for (const user of ["c", "d", "e"]) second.push(toEvent(user, 5_000, "€"));
  second.flushBeforeUnload();
  await turn();
  expect(pending.map(({ users }) => users)).toEqual([["a", "b"], ["c"]]);
  expect(pendingBytes()).toBeLessThanOrEqual(LIMIT);
  // Each response makes room: for events that did not fit, and not for pending ones.
  pending[1]!.answer(true);
  await turn();
  expect(pending.map(({ users }) => users)).toEqual([["a", "b"], ["d"]]);
  pending[0]!.answer(true);
  pending[0]!.answer(true);
  await turn();
  expect(pending.map(({ users }) => users)).toEqual([["e"]]);
  pending[0]!.answer(true);
  await turn();
  expect([first.size, second.size, pending.length, Math.max(...sizes) > LIMIT]).toEqual([0, 0, 0, false]);
});

test("an event that does not fit does not hold back smaller ones, and stays queued", async () => {
  const { pending, create } = openPage();
  const queue = create();
  queue.push(toEvent("small", 10));
  queue.push(toEvent("huge", 70_000));
  queue.push(toEvent("other", 10));
  queue.flushBeforeUnload();
  await turn();
  expect(pending.map(({ users }) => users)).toEqual([["small", "other"]]);
  pending[0]!.answer(true);
  await turn();
  expect([pending.length, queue.size]).toEqual([0, 1]);
});

test("a request that failed gives its share back, and its events are sent when the page is left again", async () => {
  const { pending, create } = openPage();
  const queue = create();
  queue.push(toEvent("ada", 60_000));
  for (let round = 0; round < 3; round++) {
    queue.flushBeforeUnload();
    queue.flushBeforeUnload();
    await turn();
    expect(pending.map(({ users }) => users)).toEqual([["ada"]]);
    pending[0]!.answer(false);
    await turn();
    expect(pending).toEqual([]);
  }
  queue.flushBeforeUnload();
  await turn();
  pending[0]!.answer(true);
  await turn();
  expect(queue.size).toBe(0);
});

test("a request that the browser refuses is made smaller, because other code may use the limit as well", async () => {
  const { pending, create } = openPage();
  const queue = create();
  for (const user of ["a", "b", "c", "d", "e"]) queue.push(toEvent(user, 10));
  queue.flushBeforeUnload();
  for (const expected of [["a", "b", "c", "d", "e"], ["a", "b"], ["a"]]) {
    await turn();
    expect(pending.map(({ users }) => users)).toEqual([expected]);
    if (expected.length > 1) pending[0]!.refuse();
  }
  // The rest follows a success, and waits after a failure.
  pending[0]!.answer(true);
  await turn();
  expect(pending.map(({ users }) => users)).toEqual([["b", "c", "d", "e"]]);
  pending[0]!.refuse();
  await turn();
  pending[0]!.refuse();
  await turn();
  pending[0]!.refuse();
  await turn();
  expect([pending.length, queue.size]).toEqual([0, 4]);
});

test("events that fit exactly are sent, and one more byte is not", async () => {
  const { pending, pendingBytes, create } = openPage();
  const queue = create();
  queue.push(toEvent("ada", 0));
  queue.flushBeforeUnload();
  await turn();
  // The body of a request with this event alone, and the comma that every event counts.
  const rest = LIMIT - (pendingBytes() + 1);
  pending[0]!.answer(true);
  await turn();
  queue.push(toEvent("bob", rest + 1));
  queue.flushBeforeUnload();
  await turn();
  expect(pending).toEqual([]);
  queue.push(toEvent("eve", rest));
  queue.flushBeforeUnload();
  await turn();
  expect(pending.map(({ users }) => users)).toEqual([["eve"]]);
  expect(pendingBytes()).toBe(LIMIT - 1);
  pending[0]!.answer(true);
  await turn();
});

test("pending requests never exceed the limit, and leave no room for an event that waits", async () => {
  const step = fc.oneof(
    fc.record({ push: fc.nat(30_000), of: fc.constantFrom("x", "é", "€", "🙂", '"') }),
    fc.record({ leave: fc.nat(1) }),
    fc.record({ answer: fc.nat(5), isGood: fc.boolean() }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { pending, pendingBytes, create } = openPage();
      const queues = [create(), create()];
      const sizes = new Map<string, number>();
      let pushed = 0;
      for (const now of steps) {
        if ("push" in now) {
          const user = `${pushed++}`;
          const event = toEvent(user, now.push, now.of);
          queues[pushed % 2]!.push(event);
          // With its id, its time and a comma.
          sizes.set(user, new TextEncoder().encode(JSON.stringify(event)).length + 100 + 50);
        } else if ("leave" in now) {
          queues[now.leave]!.flushBeforeUnload();
          await turn();
          const sent = new Set(pending.flatMap(({ users }) => users));
          const waiting = [...sizes].filter(([user]) => Number(user) % 2 !== now.leave % 2 && !sent.has(user));
          const room = LIMIT - pendingBytes();
          for (const [, bytes] of waiting) expect(bytes).toBeGreaterThan(room - 150);
        } else {
          const request = pending[now.answer];
          if (request && now.isGood) for (const user of request.users) sizes.delete(user);
          request?.answer(now.isGood);
          await turn();
        }
        expect(pendingBytes()).toBeLessThanOrEqual(LIMIT);
      }
      // The limit is shared by all queues, so the next run needs all of it.
      while (pending.length > 0) {
        pending[0]!.answer(true);
        await turn();
      }
    }),
    { numRuns: 50 },
  );
});
