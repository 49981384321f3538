import { memoryStore, type Operation, type Store, StoreUnavailable } from "@assay/store";
import { expect, test } from "vitest";
import { createTestServer } from "../../testing.fixture.ts";

/** The fields of the plan that a killed server may leave half done. */
interface State {
  percentage: number;
  status: string;
  stages: string[];
}

const HOUR = 3600_000;
const touches = (operations: Operation[]) =>
  operations.some((one) => "key" in one && /^(feature-flags|rollout-schedules)\/doc\//.test(one.key));

/** Creates a store that fails after some changes of flags and schedules, and its data for the next server. */
function mortalStore() {
  const inner: Store = { ...memoryStore(), close: async () => {} };
  let left = Number.POSITIVE_INFINITY;
  const storage: Store = {
    ...inner,
    async batch(operations) {
      if (left <= 0 && touches(operations)) throw new StoreUnavailable("Killed");
      const result = await inner.batch(operations);
      if (touches(operations)) left--;
      return result;
    },
  };
  return { inner, storage, dieAfter: (changes: number) => (left = changes) };
}

async function prepare(storage: Store) {
  const server = await createTestServer({ storage });
  const flag = { key: "checkout", name: "C", status: "ACTIVE" as const, rollout_percentage: 0 };
  await server.admin.request("POST /feature-flags/", { body: flag });
  const body = {
    name: "Plan",
    feature_flag_id: "checkout",
    stages: [
      { target_percentage: 20, trigger: "MANUAL" as const },
      { target_percentage: 50, trigger: "MANUAL" as const },
      { target_percentage: 80, trigger: "TIME" as const, trigger_config: { after_minutes: 60 } },
    ],
  };
  const { id, stages } = await server.admin.request("POST /rollout-schedules", { body });
  const move = (how: "activate" | "pause") =>
    server.admin.request(`POST /rollout-schedules/{id}/${how}`, { params: { id } });
  const advance = (stage: number) =>
    server.admin.request("POST /rollout-schedules/stages/{stage_id}/advance", {
      params: { stage_id: stages[stage]!.id },
    });
  return { server, id, move, advance };
}

/** Returns the state that a new server finds in the data. */
async function stateOf(storage: Store, id: string): Promise<State> {
  const { admin, assay } = await createTestServer({ storage });
  const { status, stages } = await admin.request("GET /rollout-schedules/{id}", { params: { id } });
  const flag = await admin.request("GET /feature-flags/{id}", { params: { id: "checkout" } });
  await assay.close();
  return { percentage: flag.rollout_percentage, status, stages: stages.map((stage) => stage.status) };
}

const before: State = { percentage: 0, status: "ACTIVE", stages: ["PENDING", "PENDING", "PENDING"] };
const advanced: State = { percentage: 20, status: "ACTIVE", stages: ["IN_PROGRESS", "PENDING", "PENDING"] };

test.each([0, 1, 2])("a stage starts with its percentage, or not at all: killed after %d changes", async (changes) => {
  const { inner, storage, dieAfter } = mortalStore();
  const { id, move, advance } = await prepare(storage);
  await move("activate");
  dieAfter(changes);
  await advance(0).catch(() => {});
  expect(await stateOf(inner, id)).toEqual(changes === 0 ? before : advanced);
});

test.each([0, 1, 2])("a TIME stage too, killed after %d changes", async (changes) => {
  const { inner, storage, dieAfter } = mortalStore();
  const { server, id, move, advance } = await prepare(storage);
  await move("activate");
  await advance(0);
  await advance(1);
  server.advance(HOUR);
  dieAfter(changes);
  await server.runJob("rollout-advance").catch(() => {});
  const found = await stateOf(inner, id);
  const half = { percentage: 50, status: "ACTIVE", stages: ["COMPLETED", "IN_PROGRESS", "PENDING"] };
  const done = { percentage: 80, status: "COMPLETED", stages: ["COMPLETED", "COMPLETED", "COMPLETED"] };
  expect(found).toEqual(changes === 0 ? half : done);
});

test.each([0, 1, 2])(
  "a plan continues with its percentage, or stays paused: killed after %d changes",
  async (changes) => {
    const { inner, storage, dieAfter } = mortalStore();
    const { server, id, move, advance } = await prepare(storage);
    await move("activate");
    await advance(0);
    await move("pause");
    const lowered = { params: { id: "checkout" }, body: { rollout_percentage: 5 } };
    await server.admin.request("PUT /feature-flags/{id}", lowered);
    dieAfter(changes);
    await move("activate").catch(() => {});
    const { percentage, status } = await stateOf(inner, id);
    expect([percentage, status]).toEqual(changes === 0 ? [5, "PAUSED"] : [20, "ACTIVE"]);
  },
);
