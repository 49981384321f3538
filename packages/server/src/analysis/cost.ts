import type { Progress, Question, Subject } from "@assay/analysis";

const DAY = 86_400_000;
/** Metrics of each event type of an experiment that lists none: whether it happened, and the sum of its values. */
const METRICS_A_KIND = 2;
/** What a group of an attribute costs at most: its users count for every metric. */
const GROUPS_AN_ATTRIBUTE = 20;
/** Values that are summed up in the main thread, for a question each: they take some tens of milliseconds. */
const MAX_INLINE = 500_000;

/**
 * Whether an answer takes so long that a thread of its own has to sum it up: every event counts for every metric, again
 * for every day that is looked at, for every covariate, and for every pair of experiments.
 *
 * @param now milliseconds since 1970
 */
export function isDear(
  { metrics, history, baseline }: Subject,
  question: Question,
  { rows, kinds }: Progress,
  now: number,
): boolean {
  const { options } = question;
  const isOne = options !== null && "metric" in options && options.metric !== null;
  const measured = isOne ? 1 : (metrics?.length ?? METRICS_A_KIND * kinds);
  const days = question.about === "looks" ? Math.max(1, (now - (history[0]?.at ?? now)) / DAY) : 1;
  const pairs = question.about === "overlaps" ? question.options.others.length ** 2 : 1;
  const adjusts = question.about === "statistics" || question.about === "looks" ? baseline : undefined;
  const covariates = adjusts ? 2 + adjusts.covariates.length + GROUPS_AN_ATTRIBUTE * adjusts.attributes.length : 1;
  return rows * measured * days * pairs * covariates > MAX_INLINE;
}
