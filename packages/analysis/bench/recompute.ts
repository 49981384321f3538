/**
 * Measures the analysis of an experiment with synthetic events: `pnpm --filter @assay/analysis bench:recompute [events]`.
 * Prints the time of encoding and decoding chunks, their size, and the time of a recomputation, windows and quantile
 * included.
 */

import { cutChunk, decodeChunk, encodeChunk } from "../src/chunk.ts";
import { computeCounts } from "../src/counts.ts";
import { createEventLog } from "../src/event-log.ts";
import type { StoredEvent } from "../src/event-record.ts";
import { toColumns } from "../src/record-columns.ts";
import type { Subject } from "../src/subject.ts";
import { computeStatistics } from "../src/sufficient-statistics.ts";

const EVENTS = Number(process.argv[2] ?? 10_000_000);
const USERS = EVENTS / 10;
const RECORD = 100;
const CHUNK_RECORDS = 1311;
const START = Date.UTC(2026, 0, 1);

let seed = 42;
/** Returns a pseudo-random number, the same in every run. */
function random(): number {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) | 0;
  return (seed >>> 0) / 4_294_967_296;
}

function eventOf(at: number, number: number): StoredEvent {
  const user = number < USERS ? number : Math.floor(random() * USERS);
  const isExposure = number < USERS;
  const dice = random();
  return {
    id: "",
    type: isExposure ? "exposure" : dice < 0.6 ? "visit" : dice < 0.9 ? "add_to_cart" : "purchase",
    userId: `0190b6f0-0000-7000-8000-${user.toString(16).padStart(12, "0")}`,
    time: at - Math.floor(random() * 30_000),
    experimentId: isExposure ? "x" : null,
    variantKey: isExposure ? (user % 2 ? "t" : "c") : null,
    flagKey: null,
    value: !isExposure && dice >= 0.9 ? Math.round(random() * 10_000) / 100 : null,
    forced: false,
    metadata: null,
  };
}

const common = { direction: "INCREASE", role: "PRIMARY" } as const;
const subject: Subject = {
  experimentId: "x",
  variants: ["c", "t"],
  history: [{ status: "ACTIVE", at: 0 }],
  metrics: [
    {
      ...common,
      id: "bought",
      name: "bought",
      event_type: "purchase",
      kind: "CONVERSION",
      conversion_window_hours: 168,
    },
    { ...common, id: "revenue", name: "revenue", event_type: "purchase", kind: "MEAN", winsorize_pct: 0.01 },
    { ...common, id: "carts", name: "carts", event_type: "add_to_cart", kind: "COUNT" },
    {
      ...common,
      id: "share",
      name: "share",
      event_type: "add_to_cart",
      denominator_event_type: "visit",
      kind: "RATIO",
    },
    { ...common, id: "p90", name: "p90", event_type: "purchase", kind: "QUANTILE", quantile: 0.9 },
  ],
};

function timed<T>(name: string, work: () => T): T {
  const start = performance.now();
  const answer = work();
  console.log(`${name.padEnd(44)} ${(performance.now() - start).toFixed(0)} ms`);
  return answer;
}

const log = createEventLog();
timed(`append ${EVENTS} events`, () => {
  for (let record = 0; record < EVENTS / RECORD; record++) {
    const at = START + record * 20;
    const events = Array.from({ length: RECORD }, (_, index) => eventOf(at, record * RECORD + index));
    log.append(record + 1, toColumns({ at, events, joins: [] }));
    log.dropDetails(log.rows.length);
  }
});
const chunks = timed("encode chunks", () => {
  const encoded: Uint8Array[] = [];
  for (let first = 0; first < log.receipts.length; first += CHUNK_RECORDS) {
    const end = Math.min(first + CHUNK_RECORDS, log.receipts.length);
    encoded.push(encodeChunk(cutChunk(log, first, end)));
  }
  return encoded;
});
const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
console.log(`${chunks.length} chunks, ${(bytes / EVENTS).toFixed(2)} bytes an event, user ids included`);
const decoded = timed("decode chunks and rebuild the log", () => {
  const rebuilt = createEventLog();
  for (const chunk of chunks) rebuilt.appendChunk(decodeChunk(chunk));
  return rebuilt;
});
timed("floor: read every column once", () => {
  const { users, times, kinds, values, length } = decoded.rows;
  const sums = new Float64Array(USERS);
  for (let row = 0; row < length; row++) if (times[row]! > kinds[row]!) sums[users[row]!]! += values[row]!;
  return sums;
});
for (let run = 1; run <= 8; run++) timed(`recompute, run ${run}`, () => computeStatistics(decoded, subject));
const { metrics: _, ...defaults } = subject;
timed("recompute without its own metrics", () => computeStatistics(decoded, { ...defaults, metrics: null }));
for (let run = 1; run <= 3; run++) {
  timed(`count users, events and conversions, run ${run}`, () => computeCounts(decoded, subject, { after: 0 }));
}
console.log(`${(process.memoryUsage().rss / 2 ** 20).toFixed(0)} MB resident`);
