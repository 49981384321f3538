import fc from "fast-check";
import { expect, test } from "vitest";
import { findReferenceParticipants, isTaken, type Received } from "./brute-force.fixture.ts";
import { computeCounts } from "./counts.ts";
import { createEventLog } from "./event-log.ts";
import type { EventRecord } from "./event-record.ts";
import { toColumns } from "./record-columns.ts";
import { event, exposure, HOUR, journals, metric, SUBJECT } from "./records.fixture.ts";

function logOf(records: readonly EventRecord[]) {
  const log = createEventLog();
  for (const [index, record] of records.entries()) log.append(index + 1, toColumns(record));
  return log;
}

const record = (at: number, ...events: EventRecord["events"]): EventRecord => ({ at, events, joins: [] });
const PURCHASES = { ...SUBJECT, metrics: [metric({ id: "bought", kind: "CONVERSION", conversion_window_hours: 2 })] };

test("users, their events and their conversions are counted by arm", () => {
  const log = logOf([
    record(1, exposure("u", "t"), event({ time: 2 * HOUR }), event({ type: "visit", time: 1 })),
    record(7, exposure("v", "c", 5), exposure("v", "c", 6), event({ userId: "stranger", time: 9 })),
  ]);
  const counts = { assignments: [1, 1], events: [2, 3], receivedAt: 7 };
  expect(computeCounts(log, PURCHASES, { after: 0 })).toEqual({ ...counts, conversions: [0, 1] });
  expect(computeCounts(log, { ...SUBJECT, metrics: null }, { after: 0 })).toEqual({ ...counts, conversions: [0, 2] });
});

test("an outcome before the exposure, or of another experiment, is not counted; a late exposure makes it count", () => {
  const records = [
    record(1, exposure("u", "t", 5), event({ time: 4 }), event({ time: 6, experimentId: "y" })),
    record(2, exposure("w", "t", 5, { experimentId: "y" }), event({ userId: "w", time: 6 })),
  ];
  const counts = { assignments: [0, 1], conversions: [0, 0], receivedAt: 1 };
  expect(computeCounts(logOf(records), PURCHASES, { after: 0 })).toEqual({ ...counts, events: [0, 1] });
  const later = logOf([...records, record(3, exposure("u", "t", 4))]);
  expect(computeCounts(later, PURCHASES, { after: 0 })).toMatchObject({ events: [0, 3], conversions: [0, 1] });
});

test("a conversion is within the longest window of the metrics of its type, its end included", () => {
  const log = logOf([record(1, exposure("u", "t"), event({ time: 2 * HOUR }), event({ time: 2 * HOUR + 1 }))]);
  const conversions = (metrics: typeof SUBJECT.metrics) =>
    computeCounts(log, { ...SUBJECT, metrics }, { after: 0 }).conversions;
  const [hour, two] = [1, 2].map((hours) => metric({ id: `m${hours}`, conversion_window_hours: hours }));
  expect(conversions([hour!])).toEqual([0, 0]);
  expect(conversions([hour!, two!])).toEqual([0, 1]);
  expect(conversions([hour!, two!, metric({ id: "ever" })])).toEqual([0, 2]);
  expect(conversions([metric({ id: "seen", event_type: "visit" })])).toEqual([0, 0]);
});

test("after a position, only what was received later is counted; who entered before does not enter again", () => {
  const log = logOf([
    record(1, exposure("u", "t"), event({ time: 1 })),
    record(2, exposure("u", "t", 2), event({ time: 2 }), exposure("v", "c", 2)),
  ]);
  const counts = { assignments: [1, 0], events: [1, 2], conversions: [0, 1], receivedAt: 2 };
  expect(computeCounts(log, PURCHASES, { after: 1 })).toEqual(counts);
  const none = { assignments: [0, 0], events: [0, 0], conversions: [0, 0], receivedAt: null };
  expect(computeCounts(log, PURCHASES, { after: 2 })).toEqual(none);
});

test("exposures do not count while PAUSED, outcomes do; nothing does before the start", () => {
  const log = logOf([
    record(-1, exposure("early", "t", -1)),
    record(1, exposure("u", "t", 0)),
    record(150 * HOUR, exposure("u", "t", 150 * HOUR), exposure("late", "t", 0), event({ time: 150 * HOUR })),
  ]);
  const counts = { assignments: [0, 1], events: [0, 2], conversions: [0, 1], receivedAt: 150 * HOUR };
  expect(computeCounts(log, { ...SUBJECT, metrics: null }, { after: 0 })).toEqual(counts);
});

test("counts agree with the rules written down plainly, in total and after any position", () => {
  fc.assert(
    fc.property(journals, fc.nat(40), (records, after) => {
      const { participants } = findReferenceParticipants(records, SUBJECT);
      const starts = records.map((_, at) => records.slice(0, at).reduce((sum, { events }) => sum + events.length, 0));
      const first = starts[after] ?? Number.POSITIVE_INFINITY;
      const isNew = ({ order }: Received) => order >= first;
      const sum = (arm: number, of: (one: (typeof participants)[number]) => number) =>
        participants.filter((one) => one.arm === arm).reduce((total, one) => total + of(one), 0);
      const outcomes = (one: (typeof participants)[number]) =>
        one.events.filter((event) => isTaken(SUBJECT, event) && isNew(event) && event.time >= one.first.time);
      const counts = computeCounts(logOf(records), SUBJECT, { after });
      for (const arm of [0, 1]) {
        expect(counts.assignments[arm]).toBe(sum(arm, ({ exposures }) => (exposures.every(isNew) ? 1 : 0)));
        const counted = (one: (typeof participants)[number]) =>
          new Set([...outcomes(one), ...one.exposures.filter(isNew)].map(({ order }) => order)).size;
        expect(counts.events[arm]).toBe(sum(arm, counted));
        expect(counts.conversions[arm]).toBe(sum(arm, (one) => outcomes(one).length));
      }
    }),
    { numRuns: 200 },
  );
});
