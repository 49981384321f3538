import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Operation } from "@assay/store";
import { lmdbStore } from "../src/lmdb-store.ts";

const WRITERS = 64;
const SECONDS = 3;

/** Returns a UUIDv7. The time in front keeps the index of claims local. */
function timedId(): string {
  const hex = Date.now().toString(16).padStart(12, "0") + randomBytes(10).toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}

const event = Buffer.from(
  JSON.stringify({ event: "purchase", user_id: "user-123456", value: 12.5, note: "x".repeat(80) }),
);
const path = mkdtempSync(join(tmpdir(), "assay-bench-"));
const store = lmdbStore({ path });

async function measure(title: string, size: number, operationsOf: () => Operation[]): Promise<void> {
  const times: number[] = [];
  const end = performance.now() + SECONDS * 1_000;
  const writer = async () => {
    while (performance.now() < end) {
      const start = performance.now();
      const result = await store.batch(operationsOf());
      if (!result.ok) throw new Error(`${title} failed`);
      times.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)]?.toFixed(1);
  const rate = Math.round((times.length * size) / SECONDS).toLocaleString("en");
  console.log(`${title.padEnd(44)} ${rate.padStart(10)}/s   p50 ${at(0.5)} ms   p99 ${at(0.99)} ms`);
}

const records = (count: number) => Array.from({ length: count }, () => event);
const claim = (count: number): Operation => ({
  type: "claim",
  set: "ids",
  generation: 1,
  keep: 7,
  members: Array.from({ length: count }, timedId),
});

console.log(`${WRITERS} writers, durable`);
await measure("append 1 record a batch", 1, () => [{ type: "append", journal: "one", records: records(1) }]);
await measure("append 50 records a batch", 50, () => [{ type: "append", journal: "many", records: records(50) }]);
await measure("claim 100 UUIDv7 a batch", 100, () => [claim(100)]);
await measure("claim 100 and append them as one record", 100, () => [
  claim(100),
  { type: "append", journal: "packed", records: [Buffer.concat(records(100))] },
]);
await measure("put 1 entry a batch", 1, () => [{ type: "put", key: `entries/${timedId()}`, value: event }]);
await store.close();
rmSync(path, { recursive: true });
