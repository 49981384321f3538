import { memoryStore, type Store } from "@assay/store";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createRuntime, silentLogger } from "../ground/runtime.ts";
import { AUDIT_JOURNAL } from "../storage/collection.ts";
import { toBytes } from "../storage/json.ts";
import { type AuditHead, SEALS_JOURNAL } from "./chain.ts";
import { toAuditKey } from "./keys.ts";
import { createSealer } from "./sealer.ts";
import { verifyAudit } from "./verify.ts";

const KEY = "a key of tests with 32 characters";
const runtime = createRuntime({ logger: silentLogger });
let store: Store;
let anchored: number[];

beforeEach(() => {
  store = memoryStore();
  anchored = [];
});
afterEach(() => {
  vi.useRealTimers();
});

const anchor = ({ sequence }: AuditHead) => void anchored.push(sequence);
const sealerOn = (store: Store) => createSealer({ store, runtime, key: toAuditKey(KEY), anchor });
const append = (id: string) =>
  store.batch([{ type: "append", journal: AUDIT_JOURNAL, records: [toBytes({ id, action: "flag.create" })] }]);
const sealed = () => store.head(SEALS_JOURNAL);

test("seals the entries since the last seal, and gives the end of the chain to the anchor", async () => {
  const sealer = sealerOn(store);
  await append("one");
  await sealer.catchUp();
  await append("two");
  await append("three");
  await sealer.catchUp();
  expect(anchored).toEqual([1, 3]);
  expect(await verifyAudit(store, { key: KEY })).toMatchObject({ valid: true, checked: 3, unsealed: 0 });
});

test("without new entries, it seals nothing and calls no anchor", async () => {
  const sealer = sealerOn(store);
  await sealer.catchUp();
  expect([await sealed(), anchored]).toEqual([0, []]);
  await append("one");
  await sealer.catchUp();
  await sealer.catchUp();
  expect([await sealed(), anchored]).toEqual([1, [1]]);
});

test("seals nothing while another node holds the lease, and everything after its end", async () => {
  await append("one");
  await store.lease("audit-sealer", "another node", 60_000);
  const sealer = sealerOn(store);
  await sealer.catchUp();
  expect(await sealed()).toBe(0);
  await store.release("audit-sealer", "another node");
  await sealer.catchUp();
  expect(await sealed()).toBe(1);
});

test("seals 200 ms after the first of several entries", async () => {
  vi.useFakeTimers();
  const sealer = sealerOn(store);
  await append("one");
  sealer.schedule();
  await vi.advanceTimersByTimeAsync(199);
  await append("two");
  sealer.schedule();
  expect(await sealed()).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(await sealed()).toBe(2);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(anchored).toEqual([2]);
});

test("seals what is left when it closes, and nothing afterwards", async () => {
  vi.useFakeTimers();
  const sealer = sealerOn(store);
  await append("one");
  sealer.schedule();
  await sealer.close();
  expect(await sealed()).toBe(1);
  await append("two");
  sealer.schedule();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await sealed()).toBe(1);
});

test.each([true, false])(
  "looks every five seconds for entries of other nodes, if a store has several (%s)",
  async (multiProcess) => {
    vi.useFakeTimers();
    sealerOn({ ...store, capabilities: { ...store.capabilities, multiProcess } });
    await append("by another node");
    await vi.advanceTimersByTimeAsync(5_199);
    expect(await sealed()).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(await sealed()).toBe(multiProcess ? 1 : 0);
  },
);
