import type { Progress, Question, Subject } from "@assay/analysis";

const DAY = 86_400_000;
/**
 * Number of metrics per event type if an experiment lists none: whether the event happened, and the sum of its values.
 */
const METRICS_A_KIND = 2;
/** The maximum cost of an attribute's groups: their users count for every metric. */
const GROUPS_AN_ATTRIBUTE = 20;
/** Maximum number of values that the main thread sums up for one question, in some tens of milliseconds. */
const MAX_INLINE = 500_000;

/**
 * Whether an answer takes so long that a separate thread must compute it. Every event counts for each metric, again for
 * each day, each covariate, and each pair of experiments.
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
  if (question.about === "counts") return rows > MAX_INLINE;
  const isOne = options !== null && "metric" in options && options.metric !== null;
  const measured = isOne ? 1 : (metrics?.length ?? METRICS_A_KIND * kinds);
  const days = question.about === "looks" ? Math.max(1, (now - (history[0]?.at ?? now)) / DAY) : 1;
  const pairs = question.about === "overlaps" ? question.options.others.length ** 2 : 1;
  const adjusts = question.about === "statistics" || question.about === "looks" ? baseline : undefined;
  const covariates = adjusts ? 2 + adjusts.covariates.length + GROUPS_AN_ATTRIBUTE * adjusts.attributes.length : 1;
  return rows * measured * days * pairs * covariates > MAX_INLINE;
}
