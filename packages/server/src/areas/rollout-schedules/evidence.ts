import { isSampleRatioMismatch, judgeRollout } from "@assay/analysis";
import { MetricTrigger, type RolloutEvidence } from "@assay/contract";
import type { Analysis } from "../../analysis/analysis.ts";
import { timestampOf } from "../../ground/runtime.ts";
import type { FlagRecord } from "../../model/feature-flag.ts";
import { compareRollout, strataOf } from "../../model/flag-rollout.ts";
import type { ScheduleRecord, StageRecord } from "../../model/rollout-schedule.ts";

/** Error probability of a schedule, over all METRIC stages and all looks together. */
const ALPHA = 0.05;

/** Evidence for the claim of a METRIC stage, from all stages since the last activation. */
export async function gatherEvidence(
  analysis: Analysis,
  flag: FlagRecord,
  schedule: ScheduleRecord,
  stage: StageRecord,
  now: number,
): Promise<RolloutEvidence | null> {
  const config = MetricTrigger.safeParse(stage.trigger_config);
  if (!config.success || schedule.activated_at === null) return null;
  const { event_type: eventType, comparison, threshold: margin, min_users: minUsers } = config.data;
  const strata = strataOf(flag, Date.parse(schedule.activated_at), now);
  const statistics = await compareRollout(analysis, flag, strata, [{ eventType, aggregation: "RATE" }]);
  const estimate = statistics.estimates[0]!;
  const claim = { comparison, margin, minUsers, alpha: ALPHA / claimsOf(schedule) };
  const { verdict, interval } = judgeRollout(estimate, statistics.users, claim);
  return {
    users_in: statistics.users.in,
    users_out: statistics.users.out,
    value_in: estimate.value.in,
    value_out: estimate.value.out,
    difference: estimate.difference,
    confidence_interval: interval,
    verdict,
    sample_ratio_mismatch: isSampleRatioMismatch(statistics, strata),
    evaluated_at: timestampOf(now),
  };
}

/** Number of distinct claims of a schedule. The same claim at several stages is one continued test. */
function claimsOf({ stages }: ScheduleRecord): number {
  const claims = stages.filter(({ trigger }) => trigger === "METRIC").map(({ trigger_config }) => trigger_config);
  const tests = claims.map((config) => {
    const { event_type, comparison, threshold } = MetricTrigger.parse(config);
    return JSON.stringify([event_type, comparison, threshold]);
  });
  return Math.max(1, new Set(tests).size);
}
