import type { Operation, Store } from "@assay/store";
import { lmdbStore } from "./lmdb-store.ts";
import { createNode, type Order, type Report } from "./node.fixture.ts";

const [path = "", start = "0"] = process.argv.slice(2);
const JOBS = "scheduler/job/";
let clock = Number(start);
let hangAfter: string | null = null;
let isHanging = false;

const now = () => clock;
const report = (message: Report) => process.send?.(message);

/** Returns a store that reports the start and end of jobs, and hangs on request. */
function watched(store: Store): Store {
  const puts = (operations: Operation[], prefix: string) =>
    operations.findIndex((one) => one.type === "put" && one.key.startsWith(prefix));
  return {
    ...store,
    async batch(operations) {
      if (isHanging) return new Promise(() => {});
      const result = await store.batch(operations);
      const index = puts(operations, JOBS);
      const job = operations[index];
      if (result.ok && job?.type === "put" && result.results[index]! > 0) {
        const { running_since } = JSON.parse(Buffer.from(job.value).toString());
        const version = result.results[index]!;
        report({ job: job.key.slice(JOBS.length), version, isRunning: running_since !== null });
      }
      if (result.ok && hangAfter !== null && puts(operations, hangAfter) !== -1) isHanging = true;
      return isHanging ? new Promise(() => {}) : result;
    },
  };
}

const node = createNode({ storage: watched(lmdbStore({ path, now })), now, jobs: true });
await node.assay.ready;

process.on("message", async (order: Order) => {
  if ("ask" in order) return report({ answer: await node.ask(...order.ask) });
  if ("clock" in order) clock = order.clock;
  else hangAfter = order.hangAfter;
  report({ done: true });
});
report({ ready: true });
