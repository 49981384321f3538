import { type Moments, momentsOf, type Proportion } from "@assay/core/stats";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bruteForce, findReferenceParticipants, isTaken, numberOf } from "./brute-force.fixture.ts";
import { createEventLog } from "./event-log.ts";
import type { EventRecord } from "./event-record.ts";
import { computePeriods } from "./periods.ts";
import { toColumns } from "./record-columns.ts";
import { exposure, HOUR, journals, SUBJECT } from "./records.fixture.ts";
import type { Subject } from "./subject.ts";
import { computeStatistics } from "./sufficient-statistics.ts";

const CHANGES = [20 * HOUR, 90 * HOUR, 91 * HOUR];
const KEEPING: Subject = { ...SUBJECT, keepsFirstArm: true };

function logOf(records: readonly EventRecord[]) {
  const log = createEventLog();
  for (const [index, record] of records.entries()) log.append(index + 1, toColumns(record));
  return log;
}

describe("periods", () => {
  it("agree with the rules written down plainly: users belong where their first exposure falls", () => {
    fc.assert(
      fc.property(journals, fc.boolean(), (records, keeps) => {
        const subject = keeps ? KEEPING : SUBJECT;
        const periods = computePeriods(logOf(records), subject, { changes: CHANGES, metric: null });
        const { participants } = findReferenceParticipants(records, subject);
        expect(periods).toHaveLength(4);
        for (const [index, { users, metrics }] of periods.entries()) {
          const members = participants.filter(
            ({ first }) => CHANGES.filter((change) => change <= first.time).length === index,
          );
          expect(users).toEqual([0, 1].map((arm) => members.filter((one) => one.arm === arm).length));
          for (const { metric, arms, form } of metrics) {
            const window = (metric.conversion_window_hours ?? Number.POSITIVE_INFINITY) * HOUR;
            for (const [arm, statistics] of arms.entries()) {
              const values = members
                .filter((one) => one.arm === arm)
                .map(({ first, events }) =>
                  numberOf(
                    metric,
                    events.filter(
                      (event) =>
                        isTaken(subject, event) && event.time >= first.time && event.time - first.time <= window,
                    ),
                  ),
                );
              if (form === "PROPORTION") {
                expect((statistics as Proportion).successes).toBe(values.filter(Boolean).length);
              } else expect((statistics as Moments).mean).toBeCloseTo(momentsOf(values).mean, 9);
            }
          }
        }
      }),
      { numRuns: 200 },
    );
  });

  it("without a change are the whole experiment", () => {
    fc.assert(
      fc.property(journals, (records) => {
        const log = logOf(records);
        const [only] = computePeriods(log, SUBJECT, { changes: [], metric: null });
        const { users, metrics } = computeStatistics(log, SUBJECT);
        expect(only).toEqual({ users, metrics });
      }),
      { numRuns: 50 },
    );
  });
});

describe("users seen in two arms", () => {
  it("stay in their first where weights change, and are counted all the same", () => {
    fc.assert(
      fc.property(journals, (records) => {
        const { users, crossover, forced, inferred } = computeStatistics(logOf(records), KEEPING);
        const reference = bruteForce(records, KEEPING);
        expect({ users, crossover, forced, inferred }).toEqual({
          users: reference.users,
          crossover: reference.crossover,
          forced: reference.forced,
          inferred: reference.inferred,
        });
      }),
      { numRuns: 200 },
    );
    const records = [{ at: 5, events: [exposure("u", "t", 2), exposure("u", "c", 1)], joins: [] }];
    expect(computeStatistics(logOf(records), KEEPING)).toMatchObject({ users: [1, 0], crossover: 1 });
    expect(computeStatistics(logOf(records), SUBJECT)).toMatchObject({ users: [0, 0], crossover: 1 });
  });
});
