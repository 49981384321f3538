import { expect, test, vi } from "vitest";
import { createRuntime } from "../ground/runtime.ts";
import { type AuditEntry, SYSTEM } from "../storage/change.ts";
import { createTrail } from "./trail.ts";

/** A trail over a store that writes when the test says so. */
function openTrail() {
  const writes: { entries: AuditEntry[]; end(error?: Error): void }[] = [];
  const logger = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
  const record = (entries: AuditEntry[]) =>
    new Promise<void>((resolve, reject) => {
      writes.push({ entries, end: (error) => (error ? reject(error) : resolve()) });
    });
  const runtime = createRuntime({ now: () => Date.parse("2026-01-31T09:30:00Z"), logger });
  const trail = createTrail({ record } as never, runtime);
  const note = (action: string) => trail.record({ action, actor: SYSTEM, resource_type: "user" });
  const written = () => writes.map(({ entries }) => entries.map(({ action }) => action));
  return { trail, note, writes, written, logger };
}

test("an incident is written with its time, its actor and its detail, and without what it does not name", async () => {
  const { trail, writes } = openTrail();
  trail.record({
    action: "auth.login",
    actor: SYSTEM,
    resource_type: "user",
    resource_id: "u1",
    resource_name: "ada",
    detail: { address: "192.0.2.1" },
  });
  expect(writes[0]!.entries).toEqual([
    {
      ...SYSTEM,
      id: expect.any(String),
      timestamp: "2026-01-31T09:30:00.000Z",
      action: "auth.login",
      resource_type: "user",
      resource_id: "u1",
      resource_name: "ada",
      old_value: null,
      new_value: { address: "192.0.2.1" },
      reason: null,
    },
  ]);
  trail.record({ action: "auth.logout", actor: SYSTEM, resource_type: "user" });
  writes[0]!.end();
  await vi.waitFor(() => expect(writes).toHaveLength(2));
  expect(writes[1]!.entries).toMatchObject([{ resource_id: null, resource_name: null, new_value: null }]);
});

test("incidents during a write follow in one write, and flush waits for both", async () => {
  const { trail, note, writes, written } = openTrail();
  for (const action of ["first", "second", "third"]) note(action);
  expect(written()).toEqual([["first"]]);
  let isFlushed = false;
  const flushed = trail.flush().then(() => {
    isFlushed = true;
  });
  writes[0]!.end();
  await vi.waitFor(() => expect(written()).toEqual([["first"], ["second", "third"]]));
  expect(isFlushed).toBe(false);
  writes[1]!.end();
  await flushed;
  await trail.flush();
  note("fourth");
  expect(written().at(-1)).toEqual(["fourth"]);
});

test("a failed write is logged, and later incidents are written", async () => {
  const { note, writes, written, logger } = openTrail();
  note("first");
  note("second");
  writes[0]!.end(new Error("disk full"));
  await vi.waitFor(() => expect(written()).toEqual([["first"], ["second"]]));
  expect(logger.error.mock.calls).toEqual([
    ["Audit entries could not be written", { count: 1, error: "Error: disk full" }],
  ]);
});

test("10,000 incidents wait for a slow store; further ones are logged and not written", async () => {
  const { note, writes, written, logger } = openTrail();
  note("writing");
  for (let index = 0; index < 10_000; index++) note("waiting");
  expect(logger.error).not.toHaveBeenCalled();
  note("lost");
  expect(logger.error.mock.calls).toEqual([["Audit queue is full", { action: "lost" }]]);
  writes[0]!.end();
  await vi.waitFor(() => expect(writes).toHaveLength(2));
  expect(written()[1]).toEqual(Array(10_000).fill("waiting"));
});
