import { keyOf, memoryStore } from "@assay/store";
import { expect, test } from "vitest";
import { createRuntime, silentLogger } from "../ground/runtime.ts";
import { createOutbox, type Settle } from "./outbox.ts";

const runtime = createRuntime({ logger: silentLogger });
const done = (text: string) => [
  { type: "append" as const, journal: "done", records: [new TextEncoder().encode(text)] },
];

function createNodes(perform: (task: string[], settle: Settle<string[]>) => Promise<void>) {
  const store = memoryStore();
  const node = () => createOutbox<string[]>({ store, runtime }, "tests", perform);
  return {
    store,
    nodes: [node(), node()] as const,
    async finished() {
      const records = await store.read("done", 0, 1000);
      return records.map(({ record }) => new TextDecoder().decode(record));
    },
  };
}

test("a task that is enqueued with a batch that fails is never done", async () => {
  const { store, nodes, finished } = createNodes(async (task, settle) => void (await settle(done(task[0]!))));
  const { operations } = nodes[0].enqueue(["a"]);
  const taken = { type: "put" as const, key: keyOf("x"), value: new Uint8Array(), ifVersion: 7 };
  expect((await store.batch([...operations, taken])).ok).toBe(false);
  await nodes[1].sweep();
  expect(await finished()).toEqual([]);
});

test("a task that fails stays, and is done by the next sweep of any node, once", async () => {
  let isDown = true;
  const { store, nodes, finished } = createNodes(async (task, settle) => {
    if (isDown) throw new Error("Down");
    await settle(done(task[0]!));
  });
  const { operations, begin } = nodes[0].enqueue(["a"]);
  await store.batch(operations);
  await begin();
  await nodes[1].sweep();
  expect(await finished()).toEqual([]);
  isDown = false;
  await Promise.all([nodes[0].sweep(), nodes[1].sweep(), begin()]);
  await nodes[1].sweep();
  expect(await finished()).toEqual(["a"]);
});

test("several nodes that do the parts of one task at once do each part once", async () => {
  const { store, nodes, finished } = createNodes(async (task, settle) => {
    for (let left = task; left.length > 0; ) {
      const [part, ...rest] = left as [string, ...string[]];
      if (!(await settle(done(part), rest.length > 0 ? rest : undefined))) return;
      left = rest;
    }
  });
  const parts = Array.from({ length: 20 }, (_, index) => `part ${index}`);
  const { operations, begin } = nodes[0].enqueue(parts);
  await store.batch(operations);
  await Promise.all([begin(), nodes[1].sweep(), nodes[0].sweep()]);
  // One node settled the last part; the other one left it.
  await nodes[1].sweep();
  expect(await finished()).toEqual(parts);
  expect(await store.list("errands/")).toEqual([]);
});
