import type { JointMoments, QuantileEstimate } from "@assay/core/stats";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findReferenceParticipants, isTaken, numberOf } from "./brute-force.fixture.ts";
import { computeCovariates } from "./covariates.ts";
import { createEventLog } from "./event-log.ts";
import type { EventRecord, Join, StoredEvent } from "./event-record.ts";
import { computeLooks } from "./looks.ts";
import { computeOverlaps } from "./overlap.ts";
import { toColumns } from "./record-columns.ts";
import { event, exposure, journals, metric, SUBJECT } from "./records.fixture.ts";
import type { Subject } from "./subject.ts";
import { computeStatistics } from "./sufficient-statistics.ts";

const CLUSTERED: Subject = { ...SUBJECT, clusters: "REQUIRED" };

function logOf(records: readonly EventRecord[]) {
  const log = createEventLog();
  for (const [index, record] of records.entries()) log.append(index + 1, toColumns(record));
  return log;
}

/** Users of company `acme` and others in one record; users without a company have none. */
function journalOf(members: Record<string, string | null>, events: StoredEvent[]): EventRecord[] {
  const joins = Object.entries(members).flatMap(([userId, company]): Join[] =>
    company === null ? [] : [{ userId, unitId: `company=${company}`, experimentId: "x" }],
  );
  return [{ at: 1, events, joins }];
}

const momentsAt = (statistics: { form: string; arms: unknown[] }, arm: number) => statistics.arms[arm] as JointMoments;

describe("users who were drawn in clusters", () => {
  const members = { a: "acme", b: "acme", c: "bolt", d: "core", e: null };
  const events = [
    ...["a", "b", "c"].map((userId) => exposure(userId, "t")),
    ...["d", "e"].map((userId) => exposure(userId, "c")),
    event({ userId: "a", time: 2, value: 5 }),
    event({ userId: "b", time: 2, value: 7 }),
    event({ userId: "e", time: 2, value: 9 }),
  ];

  it("are counted as users and summed by cluster; without a cluster they are left out", () => {
    const { users, clusters, metrics } = computeStatistics(logOf(journalOf(members, events)), CLUSTERED);
    expect(users).toEqual([1, 2 + 1]);
    expect(clusters).toEqual({ clusters: [1, 2], unknown: 1 });
    const converted = metrics.find((one) => one.metric.id === "converted")!;
    expect(converted).toMatchObject({ form: "RATIO", clusters: [1, 2] });
    // Clusters of treatment: acme with 2 of 2 users, bolt with 0 of 1.
    expect(momentsAt(converted, 1)).toEqual({ n: 2, means: [1, 1.5], products: [[2], [1, 0.5]] });
    const sum = metrics.find((one) => one.metric.id === "sum")!;
    expect(momentsAt(sum, 1).means).toEqual([6, 1.5]);
  });

  it("are users drawn alone where clusters may be and no event says so", () => {
    const subject: Subject = { ...SUBJECT, clusters: "IF_KNOWN" };
    const alone = logOf([{ at: 1, events, joins: [] }]);
    expect(computeStatistics(alone, subject)).toEqual(computeStatistics(alone, SUBJECT));
    expect(computeStatistics(alone, subject).clusters).toBeNull();
    expect(computeStatistics(logOf(journalOf(members, events)), subject).clusters).toEqual({
      clusters: [1, 2],
      unknown: 1,
    });
  });

  it("count a cluster with users in two arms in that of its first exposure", () => {
    const both = [exposure("a", "t", 5), exposure("b", "c", 3), exposure("c", "t")];
    const { users, clusters } = computeStatistics(logOf(journalOf(members, both)), CLUSTERED);
    expect(users).toEqual([1, 2]);
    expect(clusters).toEqual({ clusters: [1, 1], unknown: 0 });
  });

  it("have quantiles with clusters as units", () => {
    const many = Array.from({ length: 30 }, (_, i) => `u${i}`);
    const companies = Object.fromEntries(many.map((userId, i) => [userId, `c${i % 6}`]));
    const seen = many.flatMap((userId, i) => [exposure(userId, "t"), event({ userId, time: 1, value: i })]);
    const metrics = [metric({ id: "median", kind: "QUANTILE", quantile: 0.5 })];
    const [median] = computeStatistics(logOf(journalOf(companies, seen)), { ...CLUSTERED, metrics }).metrics;
    expect(median).toMatchObject({ form: "QUANTILE", clusters: [0, 6] });
    expect((median!.arms[1] as QuantileEstimate).users).toBeCloseTo(6, 12);
  });

  it("have covariates by cluster", () => {
    const earlier = event({ userId: "a", time: -1, value: 4 });
    const log = logOf(journalOf(members, [earlier, ...events]));
    const options = { lookbackMs: 1000, winsorize: null };
    const sum = computeCovariates(log, CLUSTERED, options).metrics.find((one) => one.metric.id === "sum")!;
    expect(sum.isClustered).toBe(true);
    expect(sum.arms![1]!.means).toEqual([6, 1.5, 2, 1.5]);
  });

  it("are clusters of each cell in pairs of experiments", () => {
    const other = ["a", "b", "c", "d"].map((userId) => exposure(userId, "t", 0, { experimentId: "y" }));
    const log = logOf(journalOf(members, [...events, ...other]));
    const others = [{ ...SUBJECT, experimentId: "y" }];
    const [overlap] = computeOverlaps(log, CLUSTERED, { others, metric: "converted" });
    expect(overlap!.users).toEqual([
      [0, 1],
      [0, 3],
    ]);
    expect(overlap!.metric).toMatchObject({ form: "RATIO", clusters: [0, 1, 0, 2] });
  });
});

describe("journals of any kind", () => {
  /** By user: the first unit that a join of the experiment gives them, ids of a person together. */
  const everywhere = journals.map((records) =>
    records.map((record) => ({ ...record, joins: record.joins.filter(({ experimentId }) => experimentId !== null) })),
  );

  it("give the sums that adding up user by user gives", () => {
    fc.assert(
      fc.property(everywhere, (records) => {
        const alone = records.map((record) => ({ ...record, joins: [] }));
        const { participants } = findReferenceParticipants(alone, SUBJECT);
        const joins = records.flatMap((record) => record.joins).filter(({ experimentId }) => experimentId === "x");
        const clusterOf = (userId: string) => joins.find((join) => join.userId === userId)?.unitId;
        const known = participants.filter(({ first }) => clusterOf(first.userId) !== undefined);
        const { users, clusters, metrics } = computeStatistics(logOf(records), CLUSTERED);
        expect(users).toEqual([0, 1].map((arm) => known.filter((one) => one.arm === arm).length));
        expect(clusters!.unknown).toBe(participants.length - known.length);
        const count = metrics.find((one) => one.metric.id === "count")!;
        for (const arm of [0, 1]) {
          const own = known.filter((one) => one.arm === arm);
          const names = [...new Set(own.map(({ first }) => clusterOf(first.userId)))];
          const outcomes = own.map(({ first, events }) =>
            events.filter((one) => one.time >= first.time && isTaken(SUBJECT, one)),
          );
          const total = outcomes.reduce((sum, some) => sum + numberOf(count.metric, some), 0);
          const moments = momentsAt(count, arm);
          expect(moments.n).toBe(names.length);
          expect(count.clusters![arm]).toBe(names.length);
          if (names.length > 0) expect(moments.means[0]! * moments.n).toBeCloseTo(total, 9);
          if (names.length > 0) expect(moments.means[1]! * moments.n).toBeCloseTo(own.length, 9);
        }
      }),
    );
  });

  it("have a last look that equals the results", () => {
    fc.assert(
      fc.property(everywhere, (records) => {
        const log = logOf(records);
        const { users, metrics } = computeStatistics(log, CLUSTERED);
        const last = computeLooks(log, CLUSTERED, { metric: null, cohorts: false }).at(-1);
        if (!last) return;
        expect(last.users).toEqual(users);
        for (const [index, one] of last.metrics.entries()) {
          for (const arm of [0, 1]) {
            const [ours, whole] = [momentsAt(one, arm), momentsAt(metrics[index]!, arm)];
            expect(ours.n).toBe(whole.n);
            for (const value of [0, 1]) expect(ours.means[value]).toBeCloseTo(whole.means[value]!, 9);
            expect(ours.products[1]![1]).toBeCloseTo(whole.products[1]![1]!, 7);
          }
        }
      }),
    );
  });
});
