import { type Store, StoreUnavailable } from "@assay/store";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { sharedStore } from "../../storage/shared-store.fixture.ts";
import { createTestServer, refusal, type TestServer } from "../../testing.fixture.ts";
import { HOUR } from "../rollout-schedules/rollout.fixture.ts";

let storage: Store;
let first: TestServer;
/**
 * A node that does not see the writes of other nodes until a test makes it catch up: it gets no notices, and does not
 * poll.
 */
let deaf: TestServer;

const params = { id: "checkout" };
const hours = (count: number) => ({ trigger: "TIME" as const, trigger_config: { after_minutes: 60 * count } });

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  storage = sharedStore();
  first = await createTestServer({ storage });
  await first.admin.request("POST /feature-flags/", {
    body: { key: "checkout", name: "C", status: "ACTIVE", rollout_percentage: 10 },
  });
  deaf = await createTestServer({ storage: { ...storage, subscribe: async () => async () => {} } });
});
afterEach(async () => {
  await Promise.all([first, deaf].map(({ assay }) => assay.close()));
  vi.useRealTimers();
});

const plan = (server: TestServer, stages = [{ target_percentage: 20, ...hours(1) }]) =>
  server.admin.request("POST /rollout-schedules", { body: { name: "Plan", feature_flag_id: "checkout", stages } });
const activate = (server: TestServer, id: string) =>
  server.admin.request("POST /rollout-schedules/{id}/activate", { params: { id } });
const rollBack = (server: TestServer) =>
  server.admin.request("POST /safety/rollback/{flag_id}", {
    params: { flag_id: "checkout" },
    body: { reason: "Errors" } as never,
  });
const flag = () => first.admin.request("GET /feature-flags/{id}", { params });
const schedule = (server: TestServer, id: string) =>
  server.admin.request("GET /rollout-schedules/{id}", { params: { id } });

test("a rollback pauses a schedule that another node has just activated", async () => {
  const { id } = await plan(first);
  await activate(first, id);
  const { paused_schedules } = await rollBack(deaf);
  expect(paused_schedules).toEqual([id]);
  expect(await schedule(first, id)).toMatchObject({
    status: "PAUSED",
    pause_reason: "Safety rollback to 0 %: Errors",
  });
});

test("a schedule that is activated before the node receives a rollback starts no stage", async () => {
  const { id, stages } = await plan(first);
  deaf.advance(1);
  await deaf.runJob("rollout-advance");
  await rollBack(first);
  expect(await activate(deaf, id)).toMatchObject({ status: "ACTIVE" });
  const stage = { params: { stage_id: stages[0]!.id } };
  const begun = deaf.admin.request("POST /rollout-schedules/stages/{stage_id}/advance", stage);
  expect(await refusal(begun)).toMatchObject({ status: 409, detail: "The flag was rolled back to 0 %" });
  deaf.advance(2 * HOUR);
  await deaf.runJob("rollout-advance");
  expect(await schedule(deaf, id)).toMatchObject({
    status: "PAUSED",
    pause_reason: "The flag was rolled back to 0 %",
    stages: [{ status: "PENDING" }],
  });
  expect(await flag()).toMatchObject({ rollout_percentage: 0, rules_enabled: false });
  // An explicit reactivation after the rollback resumes the schedule.
  await activate(deaf, id);
  deaf.advance(2 * HOUR);
  await deaf.runJob("rollout-advance");
  expect((await flag()).rollout_percentage).toBe(20);
});

test("an activation that is rejected because of a rollback leaves the schedule paused", async () => {
  const { id } = await plan(first, [
    { target_percentage: 20, ...hours(0) },
    { target_percentage: 50, ...hours(1) },
  ]);
  await activate(first, id);
  expect((await flag()).rollout_percentage).toBe(20);
  await first.admin.request("POST /rollout-schedules/{id}/pause", { params: { id } });
  const setTo = (rollout_percentage: number) =>
    first.admin.request("PUT /feature-flags/{id}", { params, body: { rollout_percentage } });
  await setTo(15);
  deaf.advance(1);
  await deaf.runJob("rollout-advance");
  await setTo(10);
  const reason = "The flag was rolled back to 10 %";
  expect(await refusal(activate(deaf, id))).toMatchObject({ status: 409, detail: reason });
  expect(await schedule(deaf, id)).toMatchObject({ status: "PAUSED", pause_reason: reason });
  expect((await flag()).rollout_percentage).toBe(10);
});

test("a node that stops during a rollback leaves its entry, and the schedule stays paused", async () => {
  const { id } = await plan(first);
  await activate(first, id);
  let isDead = false;
  const dying = await createTestServer({
    storage: {
      ...storage,
      async batch(operations) {
        if (isDead) throw new StoreUnavailable("The process is gone");
        isDead = operations.some((one) => one.type === "put" && one.key.startsWith("feature-flags/doc/"));
        return storage.batch(operations);
      },
    },
  });
  expect(await refusal(rollBack(dying))).toMatchObject({ status: 503 });
  await dying.assay.close().catch(() => {});
  expect(await flag()).toMatchObject({ rollout_percentage: 0 });
  expect((await first.admin.request("GET /safety/rollback-history")).items).toMatchObject([
    { reason: "Errors", previous_percentage: 10, new_percentage: 0 },
  ]);
  first.advance(2 * HOUR);
  await first.runJob("rollout-advance");
  expect(await schedule(first, id)).toMatchObject({
    status: "PAUSED",
    pause_reason: "The flag was rolled back to 0 %",
  });
  expect((await flag()).rollout_percentage).toBe(0);
});

test("a rollback of a flag at 0 % stops the next stage", async () => {
  await first.admin.request("PUT /feature-flags/{id}", {
    params,
    body: { rollout_percentage: 0, rules_enabled: false },
  });
  const { id } = await plan(first);
  await activate(first, id);
  await rollBack(deaf);
  first.advance(2 * HOUR);
  await first.runJob("rollout-advance");
  expect((await flag()).rollout_percentage).toBe(0);
});
