import { type Moments, momentsOf, type Proportion } from "@assay/core/stats";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findReferenceParticipants, isTaken, numberOf, type ReferenceParticipant } from "./brute-force.fixture.ts";
import { createEventLog } from "./event-log.ts";
import type { EventRecord } from "./event-record.ts";
import { computeOverlaps } from "./overlap.ts";
import { toColumns } from "./record-columns.ts";
import { event, exposure, HOUR, journals, metric, SUBJECT } from "./records.fixture.ts";
import type { Subject } from "./subject.ts";

const OTHER: Subject = { ...SUBJECT, experimentId: "y", variants: ["t", "c", "unknown"], metrics: null };
const KINDS = ["converted", "count", "sum", "least", "soon"];

/** Ids that are one unit everywhere or nowhere: both experiments bucket by the same attribute. */
const joinedAlike = journals.map((records) =>
  records.map((record) => ({ ...record, joins: record.joins.map((join) => ({ ...join, experimentId: null })) })),
);

function logOf(records: readonly EventRecord[]) {
  const log = createEventLog();
  for (const [index, record] of records.entries()) log.append(index + 1, toColumns(record));
  return log;
}

/** Users of the first who are in the second as well, with the arm there. */
function findShared(records: EventRecord[]): { own: ReferenceParticipant; arm: number }[] {
  const first = findReferenceParticipants(records, SUBJECT).participants;
  const second = findReferenceParticipants(records, OTHER).participants;
  const parents = new Map<string, string>();
  const rootOf = (id: string): string => (parents.has(id) ? rootOf(parents.get(id)!) : id);
  for (const { userId, unitId } of records.flatMap(({ joins }) => joins)) {
    if (!parents.has(userId) && rootOf(unitId) !== userId) parents.set(userId, unitId);
  }
  const unitOf = ({ first: { userId } }: ReferenceParticipant) => rootOf(userId);
  return first.flatMap((own) => {
    const other = second.find((one) => unitOf(one) === unitOf(own));
    return other ? [{ own, arm: other.arm }] : [];
  });
}

describe("overlaps", () => {
  it("agree with the rules written down plainly: the first one's metric over the users of both", () => {
    fc.assert(
      fc.property(joinedAlike, fc.constantFrom(...KINDS), (records, name) => {
        const [overlap] = computeOverlaps(logOf(records), SUBJECT, { others: [OTHER], metric: name });
        const shared = findShared(records);
        const measured = SUBJECT.metrics!.find(({ id }) => id === name)!;
        const window = (measured.conversion_window_hours ?? Number.POSITIVE_INFINITY) * HOUR;
        expect(overlap!.metric!.metric).toEqual(measured);
        for (const [a, row] of overlap!.users.entries()) {
          for (const [b, users] of row.entries()) {
            const values = shared
              .filter(({ own, arm }) => own.arm === a && arm === b)
              .map(({ own: { first, events } }) =>
                numberOf(
                  measured,
                  events.filter(
                    (one) => isTaken(SUBJECT, one) && one.time >= first.time && one.time - first.time <= window,
                  ),
                ),
              );
            expect(users).toBe(values.length);
            const cell = overlap!.metric!.arms[3 * a + b]!;
            if (measured.kind === "CONVERSION") {
              expect(cell as Proportion).toEqual({ n: users, successes: values.filter(Boolean).length });
            } else {
              const expected = momentsOf(values);
              expect((cell as Moments).mean).toBeCloseTo(expected.mean, 9);
              expect((cell as Moments).m2).toBeCloseTo(expected.m2, 6);
            }
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it("of several experiments are every pair, each as if it were asked for alone", () => {
    const third: Subject = { ...OTHER, variants: ["c", "t"] };
    fc.assert(
      fc.property(joinedAlike, fc.constantFrom(null, "converted"), (records, name) => {
        const log = logOf(records);
        const all = computeOverlaps(log, SUBJECT, { others: [OTHER, third], metric: name });
        expect(all.map(({ first, second }) => [first, second])).toEqual([
          [0, 1],
          [0, 2],
          [1, 2],
        ]);
        const alone = (subject: Subject, other: Subject) =>
          computeOverlaps(log, subject, { others: [other], metric: name })[0]!;
        const { users, metric: first } = alone(SUBJECT, third);
        expect(all[1]).toEqual({ first: 0, second: 2, users, metric: first });
        const last = alone(OTHER, third);
        expect(all[2]).toEqual({ ...last, first: 1, second: 2 });
      }),
      { numRuns: 50 },
    );
  });

  it("take the second one's metric where the first has none of that name, and every kind of metric", () => {
    const kinds = [
      metric({ id: "ratio", kind: "RATIO", denominator_event_type: "visit" }),
      metric({ id: "median", kind: "QUANTILE", quantile: 0.5 }),
    ];
    const [x, y]: Subject[] = [
      { ...SUBJECT, metrics: [] as never },
      { ...OTHER, variants: ["c", "t"], metrics: kinds },
    ];
    const events = ["u", "v", "w"].flatMap((userId, index) => [
      exposure(userId, index < 2 ? "c" : "t", 1),
      exposure(userId, "t", 2, { experimentId: "y" }),
      event({ userId, time: 3, value: 10 * index }),
      event({ userId, time: 4, value: 2 }),
      event({ userId, time: 5, type: "visit" }),
    ]);
    const log = logOf([{ at: 10, events: [...events, exposure("alone", "c")], joins: [] }]);
    const measured = (name: string | null) => computeOverlaps(log, x!, { others: [y!], metric: name })[0]!;
    expect(measured("ratio").users).toEqual([
      [0, 2],
      [0, 1],
    ]);
    const ratio = measured("ratio").metric!;
    expect(ratio.form === "RATIO" && ratio.arms.map(({ n, means }) => [n, means[0]])).toEqual([
      [0, 0],
      [2, 7],
      [0, 0],
      [1, 22],
    ]);
    const median = measured("median").metric!;
    expect(median.form === "QUANTILE" && median.arms.map(({ n, users }) => [n, users])).toEqual([
      [0, 0],
      [4, 2],
      [0, 0],
      [2, 1],
    ]);
    expect(measured(null).metric).toBeNull();
    expect(measured("none").metric).toBeNull();
  });

  it("have no outcome where there are more than 255 cells, and users all the same", () => {
    const arms = Array.from({ length: 16 }, (_, index) => `arm-${index}`);
    const [x, y]: Subject[] = [
      { ...SUBJECT, variants: arms },
      { ...OTHER, variants: arms },
    ];
    const events = [exposure("u", "arm-15"), exposure("u", "arm-15", 0, { experimentId: "y" })];
    const [overlap] = computeOverlaps(logOf([{ at: 1, events, joins: [] }]), x!, { others: [y!], metric: null });
    expect(overlap!.metric).toBeNull();
    expect(overlap!.users[15]![15]).toBe(1);
  });
});
