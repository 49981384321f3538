import {
  isSampleRatioMismatch,
  judgeRollout,
  type RolloutComparison,
  type RolloutEstimate,
  type RolloutMetric,
  type RolloutStatistics,
  type RolloutStratum,
} from "@assay/analysis";
import type { FlagSafety, SafetyMetric, SafetyValue } from "@assay/contract";
import type { Analysis } from "../../analysis/analysis.ts";
import type { FlagRecord } from "../../model/feature-flag.ts";
import { compareRollout, effectivePercentage, partialSince, strataOf } from "../../model/flag-rollout.ts";

type Health = FlagSafety["health"];
export type SafetyConfig = Pick<FlagSafety, "automatic_rollback" | "metrics" | "window_minutes">;

/** The safety state of a flag. */
export interface Watch {
  health: Health;
  values: SafetyValue[];
  /** Milliseconds since 1970. Null if all users have the flag, or none. */
  since: number | null;
  warnings: string[];
  /** The first critical metric that is significantly worse in the rollout; the reason of a rollback. */
  harm: SafetyValue | null;
}

const MINUTE = 60_000;
/** Probability of a wrong rollback, over all metrics and all looks of a rollout. */
const ALPHA = 0.05;

/** Computes the metrics of a flag: over the window, and as an experiment since the rollout started. */
export async function watch(analysis: Analysis, flag: FlagRecord, config: SafetyConfig, now: number): Promise<Watch> {
  const names = Object.keys(config.metrics);
  const since = partialSince(flag);
  const nothing = { health: "UNKNOWN", values: [], since, warnings: [], harm: null } as const;
  if (names.length === 0) return { ...nothing, values: [], warnings: [] };
  // Buckets are not by user id, so events cannot be attributed.
  if (flag.bucket_by !== null) return { ...nothing, values: [], warnings: ["BUCKETED_BY_ATTRIBUTE"] };
  const strata = since === null ? [] : strataOf(flag, since, now);
  const metrics = names.map((name): RolloutMetric => {
    const { event_type: eventType, aggregation } = config.metrics[name]!;
    return { eventType, aggregation };
  });
  const ask = (some: RolloutStratum[]) => compareRollout(analysis, flag, some, metrics);
  const [live, compared] = await Promise.all([ask(liveStratum(flag, config, now)), ask(strata)]);
  const tested = names.filter((name) => config.metrics[name]!.critical_threshold !== null).length;
  const values = names.map((name, index) =>
    toValue(name, config.metrics[name]!, live, compared, index, ALPHA / Math.max(1, tested)),
  );
  const isMismatch = isSampleRatioMismatch(compared, strata);
  return {
    health: worst(values.map(({ health }) => health)),
    values,
    since,
    warnings: [...(since === null ? ["NOBODY_TO_COMPARE"] : []), ...(isMismatch ? ["SAMPLE_RATIO_MISMATCH"] : [])],
    harm: values.find((value) => isHarm(config.metrics[value.name]!, value)) ?? null,
  };
}

/** Why a flag has no automatic rollback. Null if it has. */
export function unguardedReason(flag: FlagRecord, { automatic_rollback, metrics }: SafetyConfig): string | null {
  if (!automatic_rollback) return "automatic_rollback is off";
  if (Object.values(metrics).every(({ critical_threshold }) => critical_threshold === null)) {
    return "No metric has a critical_threshold";
  }
  if (flag.status !== "ACTIVE") return `The flag is ${flag.status}`;
  if (flag.bucket_by !== null) {
    return `The flag buckets by "${flag.bucket_by}", which events do not contain, so the server cannot determine who is in the rollout`;
  }
  const percentage = effectivePercentage(flag);
  if (percentage === 100) return "All users have the flag, so there are no users to compare";
  return percentage === 0 ? "No user has the flag by its percentage, so there are no users to compare" : null;
}

/** Whether a metric is beyond its critical threshold, and significantly worse because of the rollout. */
function isHarm({ comparison, critical_threshold }: SafetyMetric, { worse, value_in }: SafetyValue): boolean {
  return worse && isBeyond(value_in, comparison, critical_threshold);
}

/** Returns the part of the window with the current percentage. */
function liveStratum(flag: FlagRecord, { window_minutes }: SafetyConfig, now: number): RolloutStratum[] {
  const changed = Date.parse(flag.rollout_history?.at(-1)?.at ?? flag.created_at);
  return [
    { percentage: effectivePercentage(flag), from: Math.max(now - window_minutes * MINUTE, changed), to: now + 1 },
  ];
}

function toValue(
  name: string,
  metric: SafetyMetric,
  live: RolloutStatistics,
  compared: RolloutStatistics,
  index: number,
  alpha: number,
): SafetyValue {
  const [now, estimate] = [live.estimates[index]!, compared.estimates[index]!];
  const claim = { comparison: metric.comparison, margin: 0, minUsers: metric.min_users, alpha };
  const { verdict, interval } = judgeRollout(estimate, compared.users, claim);
  return {
    name,
    health: healthOf(metric, now, live.users.in),
    live_value: now.mean.in,
    live_users: live.users.in,
    users_in: compared.users.in,
    users_out: compared.users.out,
    value_in: estimate.value.in,
    value_out: estimate.value.out,
    difference: estimate.difference,
    confidence_interval: interval,
    worse: verdict === "HOLDS",
  };
}

function healthOf(metric: SafetyMetric, { mean }: RolloutEstimate, users: number): Health {
  const { comparison, critical_threshold, warning_threshold, min_users } = metric;
  if (mean.in === null || users < min_users) return "UNKNOWN";
  if (isBeyond(mean.in, comparison, critical_threshold)) return "CRITICAL";
  return isBeyond(mean.in, comparison, warning_threshold) ? "WARNING" : "HEALTHY";
}

/** Whether a value is on the wrong side of a threshold. */
function isBeyond(value: number | null, comparison: RolloutComparison, threshold: number | null): boolean {
  if (value === null || threshold === null) return false;
  if (value === threshold) return comparison.endsWith("OR_EQUAL");
  return comparison.startsWith("GREATER") ? value > threshold : value < threshold;
}

const BY_WORSE: readonly Health[] = ["CRITICAL", "WARNING", "HEALTHY", "UNKNOWN"];

function worst(all: readonly Health[]): Health {
  return BY_WORSE.find((health) => all.includes(health)) ?? "UNKNOWN";
}
