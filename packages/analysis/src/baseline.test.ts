import { describe, expect, it } from "vitest";
import type { BaselinePlan } from "./baseline.ts";
import { createEventLog } from "./event-log.ts";
import type { StoredEvent } from "./event-record.ts";
import { computeLooks } from "./looks.ts";
import { toColumns } from "./record-columns.ts";
import { event, exposure, HOUR, metric, SUBJECT } from "./records.fixture.ts";
import { computeStatistics } from "./sufficient-statistics.ts";

const DAY = 24 * HOUR;
const PLAN: BaselinePlan = { method: "REGRESSION", lookbackMs: 14 * DAY, covariates: [], attributes: [] };
const REVENUE = metric({ id: "revenue" });

function logOf(...records: { at: number; events: StoredEvent[] }[]) {
  const log = createEventLog();
  for (const [index, { at, events }] of records.entries()) log.append(index + 1, toColumns({ at, events, joins: [] }));
  return log;
}

const subjectOf = (plan: Partial<BaselinePlan>, metrics = [REVENUE]) => ({
  ...SUBJECT,
  history: [{ status: "ACTIVE" as const, at: 0 }],
  metrics,
  baseline: { ...PLAN, ...plan },
});
const purchase = (userId: string, value: number, time: number) => event({ userId, value, time });

describe("the baseline of a metric", () => {
  it("is the sum before each user's first exposure, within the look-back, of events received at any time", () => {
    const log = logOf(
      { at: -HOUR, events: [purchase("early", 5, -2 * HOUR), purchase("early", 70, -15 * DAY)] },
      { at: 2 * HOUR, events: [exposure("early", "c", HOUR), exposure("late", "c", HOUR), purchase("early", 3, HOUR)] },
      { at: 30 * DAY, events: [purchase("late", 9, 0)] },
    );
    const [revenue] = computeStatistics(log, subjectOf({})).metrics;
    const [control] = revenue!.baseline!.arms!;
    // Users [after, before]: early [3, 5], late [0, 9].
    expect(control).toMatchObject({ n: 2, means: [1.5, 7] });
    expect(control!.products).toEqual([[4.5], [-6, 8]]);
    expect(revenue!.baseline!.carriers).toEqual([[2, 0]]);
  });

  it("has the other metrics that are named, each once, and numerator and denominator of a ratio", () => {
    const visits = metric({ id: "visits", event_type: "visit", kind: "COUNT" });
    const ratio = metric({ id: "ratio", kind: "RATIO", denominator_event_type: "visit" });
    const log = logOf({
      at: HOUR,
      events: [
        purchase("u", 5, -HOUR),
        event({ userId: "u", type: "visit", time: -HOUR }),
        exposure("u", "c"),
        event({ userId: "u", type: "visit", time: 1 }),
      ],
    });
    const { metrics } = computeStatistics(log, subjectOf({ covariates: ["visits"] }, [REVENUE, visits, ratio]));
    expect(metrics.map(({ baseline }) => [baseline!.covariates, baseline!.arms![0]!.means])).toEqual([
      [
        ["revenue", "visits"],
        [0, 5, 1],
      ],
      [["visits"], [1, 1]],
      [
        ["ratio", "visits"],
        [0, 1, 5, 1, 1],
      ],
    ]);
  });

  it("has the groups of an attribute of first exposures, except the largest", () => {
    const plans = { a: "free", b: "free", c: "pro" };
    const events = Object.entries(plans).map(([user, plan]) => exposure(user, "c", 0, { metadata: { plan } }));
    const log = logOf(
      { at: HOUR, events },
      { at: 2 * HOUR, events: [exposure("c", "c", 9, { metadata: { plan: "free" } })] },
    );
    const [revenue] = computeStatistics(log, subjectOf({ attributes: ["plan"] })).metrics;
    expect(revenue!.baseline).toMatchObject({
      covariates: ["revenue", "plan"],
      carriers: [
        [0, 0],
        [1, 0],
      ],
    });
    expect(revenue!.baseline!.arms![0]!.means[2]).toBeCloseTo(1 / 3, 12);
  });

  it("merges the smallest groups of an attribute with more than 20", () => {
    const events = Array.from({ length: 25 }, (_, n) =>
      Array.from({ length: 25 - n }, (_, user) =>
        exposure(`${n}-${user}`, "c", 0, { metadata: { city: `city ${n}` } }),
      ),
    ).flat();
    const [revenue] = computeStatistics(logOf({ at: HOUR, events }), subjectOf({ attributes: ["city"] })).metrics;
    const sizes = revenue!.baseline!.carriers.slice(1).map(([users]) => users);
    // The 18 largest after the first, and 6 + 5 + 4 + 3 + 2 + 1 users of the others.
    expect(sizes).toEqual([...Array.from({ length: 18 }, (_, n) => 24 - n), 21]);
  });

  it("is absent without a plan, and has no arms for a quantile", () => {
    const median = metric({ id: "median", kind: "QUANTILE", quantile: 0.5 });
    const log = logOf({ at: HOUR, events: [exposure("u", "c")] });
    const { baseline: _, ...plain } = subjectOf({}, [median]);
    expect(computeStatistics(log, subjectOf({}, [median])).metrics[0]!.baseline!.arms).toBeNull();
    expect(computeStatistics(log, plain).metrics[0]).not.toHaveProperty("baseline");
  });
});

describe("the baseline of a look", () => {
  it("has the users and outcomes known that day, and the last is that of the results", () => {
    const log = logOf(
      { at: HOUR, events: [purchase("u", 4, -HOUR), exposure("u", "c"), purchase("u", 1, 1)] },
      { at: DAY + HOUR, events: [purchase("v", 6, -HOUR), exposure("v", "t"), purchase("u", 2, 2)] },
    );
    const subject = subjectOf({});
    const looks = computeLooks(log, subject, { metric: null, cohorts: true });
    const armsOf = (look: (typeof looks)[number]) => look.metrics[0]!.baseline!.arms!.map(({ n, means }) => [n, means]);
    expect(looks.map(armsOf)).toEqual([
      [
        [1, [1, 4]],
        [0, [0, 0]],
      ],
      [
        [1, [3, 4]],
        [1, [0, 6]],
      ],
    ]);
    expect(looks.at(-1)!.metrics).toEqual(computeStatistics(log, subject).metrics);
    expect(looks[1]!.cohort!.metrics[0]!.baseline!.arms!.map(({ n }) => n)).toEqual([0, 1]);
  });
});
