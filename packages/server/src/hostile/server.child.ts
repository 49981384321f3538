import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { createAssay } from "../create.ts";
import { silentLogger } from "../ground/runtime.ts";
import { ADMIN } from "../testing.fixture.ts";

let ahead = 0;
const assay = createAssay({
  admin: ADMIN,
  passwordCost: 16,
  rateLimit: false,
  jobs: false,
  logger: silentLogger,
  now: () => Date.now() + ahead,
});
await assay.ready;

let longest = 0;
let last = read();
setInterval(() => {
  const now = read();
  // Counts neither the time in which other threads had the processor, nor, as garbage collection waits for threads of
  // its own, time in which this process had none.
  longest = Math.max(longest, Math.min(now.time - now.waited - (last.time - last.waited), now.spent - last.spent));
  last = now;
}, 1);

/** Returns the time, how long this thread has waited for a processor, and what this process has used, in milliseconds. */
function read() {
  const { user, system } = process.cpuUsage();
  return { time: performance.now(), waited: readWaited(), spent: (user + system) / 1000 };
}

/** Linux counts it in nanoseconds. On other systems, a busy machine looks like a blocked server. */
function readWaited(): number {
  if (process.platform !== "linux") return 0;
  return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, "utf8").split(" ")[1]) / 1e6;
}

// The parent moves the clock by milliseconds. Between its requests, it asks how long the event loop was blocked at most
// since it last asked.
process.on("message", async (message: "how long" | { advance: number }) => {
  if (typeof message === "object") {
    ahead += message.advance;
    return;
  }
  await wait(5);
  process.send!({ longest });
  longest = 0;
});
process.once("disconnect", () => process.exit());

const http = createServer({ maxHeaderSize: 16_384 }, assay.node).listen(0, "127.0.0.1", () => {
  process.send!({ url: `http://127.0.0.1:${(http.address() as AddressInfo).port}` });
});
