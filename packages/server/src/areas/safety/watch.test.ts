import type { RolloutOptions, RolloutStatistics, RolloutStratum } from "@assay/analysis";
import type { SafetyMetric } from "@assay/contract";
import { describe, expect, test } from "vitest";
import type { Analysis } from "../../analysis/analysis.ts";
import type { FlagRecord } from "../../model/feature-flag.ts";
import { type SafetyConfig, unguardedReason, watch } from "./watch.ts";

const NOW = Date.parse("2026-05-01T12:00:00.000Z");
const MINUTE = 60_000;
const at = (minutesAgo: number) => new Date(NOW - minutesAgo * MINUTE).toISOString();

const METRIC: SafetyMetric = {
  event_type: "error",
  aggregation: "RATE",
  comparison: "GREATER_THAN",
  warning_threshold: 0.02,
  critical_threshold: 0.05,
  min_users: 100,
};
const guarding = (metric: Partial<SafetyMetric> = {}): SafetyConfig => ({
  automatic_rollback: true,
  metrics: { errors: { ...METRIC, ...metric } },
  window_minutes: 60,
});

const flag = (changes: object = {}): FlagRecord =>
  ({
    id: "checkout",
    key: "checkout",
    version: 1,
    status: "ACTIVE",
    rollout_percentage: 50,
    targeting_rules: null,
    variants: [],
    bucket_by: null,
    created_at: at(300),
    rollout_history: [{ percentage: 50, at: at(240) }],
    ...changes,
  }) as unknown as FlagRecord;

/** An analysis in which users of the rollout have a mean, and both sides the same number of users; keeps the strata asked for. */
function analysisOf(mean: number | null, users = 1000) {
  const asked: RolloutStratum[][] = [];
  const answer = async (
    _: unknown,
    __: number,
    { options }: { options: RolloutOptions },
  ): Promise<RolloutStatistics> => {
    asked.push(options.strata);
    const estimate = {
      n: { in: users, out: users },
      mean: { in: mean, out: 0 },
      value: { in: mean, out: 0 },
      difference: mean,
      standardError: mean === null ? null : 0.001,
      effectiveUsers: mean === null ? 0 : users,
    };
    return {
      users: { in: users, out: users },
      strata: options.strata.map(() => ({ in: users, out: users })),
      estimates: options.metrics.map(() => estimate),
    };
  };
  return { asked, analysis: { answer } as unknown as Analysis };
}

const watched = (mean: number | null, config = guarding(), users?: number) =>
  watch(analysisOf(mean, users).analysis, flag(), config, NOW);

describe("live values", () => {
  test("cover exactly the window until now", async () => {
    const { asked, analysis } = analysisOf(0);
    await watch(analysis, flag(), guarding(), NOW);
    expect(asked[0]).toEqual([{ percentage: 50, from: NOW - 60 * MINUTE, to: NOW + 1 }]);
  });

  test("begin with the last change of the percentage, if that is later", async () => {
    const { asked, analysis } = analysisOf(0);
    const rollout_history = [
      { percentage: 10, at: at(240) },
      { percentage: 50, at: at(20) },
    ];
    await watch(analysis, flag({ rollout_history }), guarding(), NOW);
    expect(asked[0]![0]!.from).toBe(NOW - 20 * MINUTE);
    expect(asked[1]).toEqual([
      { percentage: 10, from: NOW - 240 * MINUTE, to: NOW - 20 * MINUTE },
      { percentage: 50, from: NOW - 20 * MINUTE, to: NOW + 1 },
    ]);
  });

  test.each([
    ["GREATER_THAN", 0.05, "WARNING"],
    ["GREATER_THAN", 0.051, "CRITICAL"],
    ["GREATER_THAN_OR_EQUAL", 0.05, "CRITICAL"],
    ["GREATER_THAN", 0.02, "HEALTHY"],
    ["GREATER_THAN_OR_EQUAL", 0.02, "WARNING"],
    ["GREATER_THAN", 0.019, "HEALTHY"],
  ] as const)("that are to be %s: %d is judged as %s", async (comparison, mean, health) => {
    expect((await watched(mean, guarding({ comparison }))).health).toBe(health);
  });

  test.each([
    ["LESS_THAN", 0.05, "WARNING"],
    ["LESS_THAN", 0.049, "CRITICAL"],
    ["LESS_THAN_OR_EQUAL", 0.05, "CRITICAL"],
    ["LESS_THAN", 0.1, "HEALTHY"],
    ["LESS_THAN_OR_EQUAL", 0.1, "WARNING"],
  ] as const)("that are to be %s: %d is judged as %s", async (comparison, mean, health) => {
    const metric = { comparison, warning_threshold: 0.1, critical_threshold: 0.05 };
    expect((await watched(mean, guarding(metric))).health).toBe(health);
  });

  test("are unknown below min_users", async () => {
    expect((await watched(0.5, guarding(), 100)).health).toBe("CRITICAL");
    expect((await watched(0.5, guarding(), 99)).health).toBe("UNKNOWN");
    expect((await watched(null)).health).toBe("UNKNOWN");
  });

  test("give the flag the worst health of all metrics", async () => {
    const metrics = {
      fine: { ...METRIC, warning_threshold: null, critical_threshold: 0.9 },
      warned: { ...METRIC, critical_threshold: null },
    };
    const config = { ...guarding(), metrics };
    const { values, health } = await watched(0.03, config);
    expect(values.map((value) => value.health)).toEqual(["HEALTHY", "WARNING"]);
    expect(health).toBe("WARNING");
  });
});

describe("harm", () => {
  test("is a value beyond the critical threshold that the rollout made worse", async () => {
    expect((await watched(0.3)).harm).toMatchObject({ name: "errors", worse: true, value_in: 0.3 });
  });

  test("is not a value within the threshold, even if it is worse", async () => {
    const { harm, values } = await watched(0.04);
    expect(values[0]!.worse).toBe(true);
    expect(harm).toBeNull();
  });

  test("is not a metric without a critical threshold", async () => {
    expect((await watched(0.3, guarding({ critical_threshold: null }))).harm).toBeNull();
  });
});

describe("a flag is unguarded", () => {
  test.each<[string, object, Partial<SafetyConfig>]>([
    ["automatic_rollback is off", {}, { automatic_rollback: false }],
    ["No metric has a critical_threshold", {}, { metrics: { errors: { ...METRIC, critical_threshold: null } } }],
    ["No metric has a critical_threshold", {}, { metrics: {} }],
    ["The flag is INACTIVE", { status: "INACTIVE" }, {}],
    ["All users have the flag, so there are no users to compare", { rollout_percentage: 100 }, {}],
    ["No user has the flag by its percentage, so there are no users to compare", { rollout_percentage: 0 }, {}],
  ])("because %s", (reason, changes, config) => {
    expect(unguardedReason(flag(changes), { ...guarding(), ...config })).toBe(reason);
  });

  test("because its bucket is that of an attribute, which events do not contain", async () => {
    const byCompany = flag({ bucket_by: "company" });
    expect(unguardedReason(byCompany, guarding())).toContain('buckets by "company"');
    const { warnings, values } = await watch(analysisOf(0.3).analysis, byCompany, guarding(), NOW);
    expect([warnings, values]).toEqual([["BUCKETED_BY_ATTRIBUTE"], []]);
  });

  test("no longer at 1 % and at 99 %", () => {
    for (const rollout_percentage of [1, 99])
      expect(unguardedReason(flag({ rollout_percentage }), guarding())).toBeNull();
  });
});

test("warns if all users have the flag, because there are none to compare", async () => {
  const full = flag({ rollout_percentage: 100, rollout_history: [{ percentage: 100, at: at(10) }] });
  const { warnings, since } = await watch(analysisOf(0).analysis, full, guarding(), NOW);
  expect([warnings, since]).toEqual([["NOBODY_TO_COMPARE"], null]);
});
