import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { createEventLog } from "./event-log.ts";
import { encodeRecord } from "./event-record.ts";
import { decodeColumns } from "./record-bytes.ts";
import { event } from "./records.fixture.ts";

const userOf = (number: number) => `0198f0b2-7b1c-7d3e-8f4a-${String(number).padStart(12, "0")}`;

/** Returns the bytes of the heap that are in use. */
function heap(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  return process.memoryUsage().heapUsed;
}

it("remembers a new user without the rest of their record", () => {
  const log = createEventLog();
  const records = 2_000;
  const before = heap();
  for (let record = 0; record < records; record++) {
    // 100 events, one of which has a new user.
    const events = Array.from({ length: 100 }, (_, index) => {
      return event({ userId: userOf(index === 50 ? 100 + record : index) });
    });
    log.append(record + 1, decodeColumns(encodeRecord({ at: 1, events, joins: [] })));
  }
  const grown = heap() - before;
  expect(log.users).toHaveLength(records + 99);
  expect(log.users.at(-1)).toBe(userOf(100 + records - 1));
  // The ids of a record's users are texts of 3,600 bytes together.
  expect(grown / records).toBeLessThan(1_000);
});
