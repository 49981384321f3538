import type { RolloutMetric, RolloutOptions, RolloutStatistics, RolloutStratum, Subject } from "@assay/analysis";
import type { FlagRecord } from "./feature-flag.ts";

/** Periods that are kept of a flag. */
const MOST_PERIODS = 100;
/** Periods that are compared, the newest. */
const MOST_STRATA = 24;

/** The share of users who get a flag by their bucket: none while it is not ACTIVE. */
export function effectivePercentage({ status, rollout_percentage, targeting_rules }: FlagRecord): number {
  return status === "ACTIVE" ? Math.min(rollout_percentage, targeting_rules?.rollout_percentage ?? 100) : 0;
}

/** Whether nobody has a flag, whatever they were given before: it was rolled back to 0, or switched off. */
export function isWithdrawn({ status, rollout_percentage, rules_enabled }: FlagRecord): boolean {
  return status === "INACTIVE" || (rollout_percentage === 0 && !rules_enabled);
}

/** A flag with note taken of when it had which percentage: what tells afterwards who was in and who was out. */
export function withRolloutHistory(after: FlagRecord, before: FlagRecord | null, now: string): FlagRecord {
  const percentage = effectivePercentage(after);
  const known = before?.rollout_history ?? [];
  if (known.at(-1)?.percentage === percentage) return after;
  return { ...after, rollout_history: [...known, { percentage, at: now }].slice(-MOST_PERIODS) };
}

/** The partial rollouts of a flag since an instant, until now; milliseconds since 1970. */
export function strataOf(flag: FlagRecord, since: number, now: number): RolloutStratum[] {
  const history = flag.rollout_history ?? [];
  const strata = history.map(({ percentage, at }, index) => ({
    percentage,
    from: Math.max(since, Date.parse(at)),
    // What happens at this very instant belongs to it.
    to: index + 1 < history.length ? Date.parse(history[index + 1]!.at) : now + 1,
  }));
  return strata
    .filter(({ percentage, from, to }) => percentage > 0 && percentage < 100 && to > from)
    .slice(-MOST_STRATA);
}

/** Since when a flag has been given to some and not to others, without a break; null where it is not. */
export function partialSince(flag: FlagRecord): number | null {
  let since: number | null = null;
  for (const { percentage, at } of flag.rollout_history ?? []) {
    since = percentage > 0 && percentage < 100 ? (since ?? Date.parse(at)) : null;
  }
  return since;
}

/** What compares users: the server's analysis. */
export interface RolloutAnalysis {
  answer(
    subject: Subject,
    version: number,
    question: { about: "rollout"; options: RolloutOptions },
  ): Promise<RolloutStatistics>;
}

/** Compares the users in a flag's rollout with those out of it. */
export function compareRollout(
  analysis: RolloutAnalysis,
  flag: FlagRecord,
  strata: RolloutStratum[],
  metrics: RolloutMetric[],
): Promise<RolloutStatistics> {
  // The subject only names the flag: a rollout has neither arms nor a history of statuses.
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
