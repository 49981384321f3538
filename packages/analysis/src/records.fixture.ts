import fc from "fast-check";
import type { EventRecord, Join, StoredEvent } from "./event-record.ts";
import type { Metric } from "./metric-definition.ts";
import type { Subject } from "./subject.ts";

export const HOUR = 3_600_000;

/** Returns an event of user `u` at time 0 with no other fields; the argument overrides it. */
export function event(changes: Partial<StoredEvent> = {}): StoredEvent {
  return {
    id: "",
    type: "purchase",
    userId: "u",
    time: 0,
    experimentId: null,
    variantKey: null,
    flagKey: null,
    value: null,
    forced: false,
    metadata: null,
    ...changes,
  };
}

/** Returns an exposure to an arm of experiment `x`. */
export function exposure(
  userId: string,
  variantKey: string,
  time = 0,
  changes: Partial<StoredEvent> = {},
): StoredEvent {
  return event({ type: "exposure", userId, variantKey, time, experimentId: "x", ...changes });
}

export function metric(changes: Partial<Metric> & Pick<Metric, "id">): Metric {
  return { name: changes.id, event_type: "purchase", kind: "MEAN", direction: "INCREASE", role: "PRIMARY", ...changes };
}

/** Experiment `x` with arms `c` and `t`, ACTIVE from 0, PAUSED from 100 h, ACTIVE from 200 h, COMPLETED from 300 h. */
export const SUBJECT: Subject = {
  experimentId: "x",
  variants: ["c", "t"],
  history: [
    { status: "ACTIVE", at: 0 },
    { status: "PAUSED", at: 100 * HOUR },
    { status: "ACTIVE", at: 200 * HOUR },
    { status: "COMPLETED", at: 300 * HOUR },
  ],
  metrics: [
    metric({ id: "converted", kind: "CONVERSION" }),
    metric({ id: "soon", kind: "CONVERSION", conversion_window_hours: 20 }),
    metric({ id: "count", kind: "COUNT" }),
    metric({ id: "sum" }),
    metric({ id: "mean", aggregation: "MEAN" }),
    metric({ id: "least", aggregation: "MIN" }),
    metric({ id: "most", aggregation: "MAX", event_type: "visit" }),
  ],
};

const userIds = fc.nat(24).map((index) => `user-${index}`);
const times = fc.integer({ min: -20, max: 340 }).map((hour) => hour * HOUR);

const events: fc.Arbitrary<StoredEvent> = fc.oneof(
  fc
    .record({
      userId: userIds,
      variantKey: fc.constantFrom("c", "t", "c", "unknown"),
      time: times,
      type: fc.constantFrom("exposure", "exposure", "purchase"),
      experimentId: fc.constantFrom("x", "x", "y"),
      forced: fc.nat(11).map((dice) => dice === 0),
      value: fc.option(fc.integer({ min: -5, max: 50 })),
    })
    .map(event),
  fc
    .record({
      userId: userIds,
      time: times,
      type: fc.constantFrom("purchase", "visit", "exposure"),
      experimentId: fc.constantFrom(null, null, "x", "y"),
      value: fc.option(fc.integer({ min: -5, max: 50 })),
    })
    .map(event),
);

const joins: fc.Arbitrary<Join> = fc.record({
  userId: userIds,
  unitId: userIds,
  experimentId: fc.constantFrom(null, null, "x", "y"),
});

/** Journals of up to 40 requests, received in any order of time. */
export const journals: fc.Arbitrary<EventRecord[]> = fc.array(
  fc.record({
    at: fc.integer({ min: -10, max: 320 }).map((hour) => hour * HOUR),
    events: fc.array(events, { maxLength: 8 }),
    joins: fc.array(joins, { maxLength: 3 }).map((list) => (list.length < 3 ? [] : list)),
  }),
  { maxLength: 40 },
);
