import type { RolloutMetric, RolloutOptions, RolloutStatistics, RolloutStratum, Subject } from "@assay/analysis";
import type { FlagRecord } from "./feature-flag.ts";

/** Maximum number of periods kept per flag. */
const MAX_PERIODS = 100;
/** Maximum number of periods compared, newest first. */
const MAX_STRATA = 24;

/** Returns the percentage of users who get a flag by bucket: 0 unless it is ACTIVE. */
export function effectivePercentage({ status, rollout_percentage, targeting_rules }: FlagRecord): number {
  return status === "ACTIVE" ? Math.min(rollout_percentage, targeting_rules?.rollout_percentage ?? 100) : 0;
}

/** Whether no user has the flag now: it was rolled back to 0, or switched off. */
export function isWithdrawn({ status, rollout_percentage, rules_enabled }: FlagRecord): boolean {
  return status === "INACTIVE" || (rollout_percentage === 0 && !rules_enabled);
}

/** Adds a changed percentage to the history of a flag, so that analysis knows later who was in the rollout. */
export function withRolloutHistory(after: FlagRecord, before: FlagRecord | null, now: string): FlagRecord {
  const percentage = effectivePercentage(after);
  const previous = before?.rollout_history ?? [];
  if (previous.at(-1)?.percentage === percentage) return after;
  return { ...after, rollout_history: [...previous, { percentage, at: now }].slice(-MAX_PERIODS) };
}

/** Returns the partial rollouts of a flag from an instant until now, in milliseconds since 1970. */
export function strataOf(flag: FlagRecord, since: number, now: number): RolloutStratum[] {
  const history = flag.rollout_history ?? [];
  const strata = history.map(({ percentage, at }, index) => ({
    percentage,
    from: Math.max(since, Date.parse(at)),
    // Includes events at this very instant.
    to: index + 1 < history.length ? Date.parse(history[index + 1]!.at) : now + 1,
  }));
  return strata
    .filter(({ percentage, from, to }) => percentage > 0 && percentage < 100 && to > from)
    .slice(-MAX_STRATA);
}

/** Start of the current partial rollout, without interruption. Null if the rollout is not partial. */
export function partialSince(flag: FlagRecord): number | null {
  let since: number | null = null;
  for (const { percentage, at } of flag.rollout_history ?? []) {
    since = percentage > 0 && percentage < 100 ? (since ?? Date.parse(at)) : null;
  }
  return since;
}

/** The server analysis that compares users. */
export interface RolloutAnalysis {
  answer(
    subject: Subject,
    version: number,
    question: { about: "rollout"; options: RolloutOptions },
  ): Promise<RolloutStatistics>;
}

/** Compares users inside the rollout of a flag with those outside. */
export function compareRollout(
  analysis: RolloutAnalysis,
  flag: FlagRecord,
  strata: RolloutStratum[],
  metrics: RolloutMetric[],
): Promise<RolloutStatistics> {
  // The subject only identifies the flag: a rollout has neither arms nor a status history.
  const subject = { experimentId: flag.id, variants: [], history: [], metrics: null };
  const options = { ...toRolloutOptions(flag), strata, metrics };
  return analysis.answer(subject, flag.version, { about: "rollout", options });
}

function toRolloutOptions(flag: FlagRecord): Pick<RolloutOptions, "flagKey" | "weights" | "named"> {
  const { included_users = [], excluded_users = [] } = flag.targeting_rules ?? {};
  const total = flag.variants.reduce((sum, { weight }) => sum + weight, 0);
  return {
    flagKey: flag.key,
    weights: total > 0 ? flag.variants.map(({ weight }) => weight / total) : [1],
    named: [...included_users, ...excluded_users],
  };
}
