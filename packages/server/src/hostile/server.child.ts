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
let last = performance.now();
let spent = process.cpuUsage();
setInterval(() => {
  const now = performance.now();
  const { user, system } = process.cpuUsage(spent);
  // Does not count the time of other processes: uses the processor time of this process if that is less.
  longest = Math.max(longest, Math.min(now - last, (user + system) / 1000));
  last = now;
  spent = process.cpuUsage();
}, 1);

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
