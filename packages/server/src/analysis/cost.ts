import type { Progress, Question, Subject } from "@assay/analysis";

const DAY = 86_400_000;
/** Metrics of an event type that nobody has named: whether it happened, and how much. */
const METRICS_A_KIND = 2;

/**
 * About how many values an answer is summed up from: every event for every metric, and again for every day that is
 * looked at.
 *
 * @param now milliseconds since 1970
 */
export function costOf(
  { metrics, history }: Subject,
  question: Question,
  { rows, kinds }: Progress,
  now: number,
): number {
  const named = "metric" in (question.options ?? {}) && (question.options as { metric: string | null }).metric !== null;
  const measured = named ? 1 : (metrics?.length ?? METRICS_A_KIND * kinds);
  const days = question.about === "looks" ? Math.max(1, (now - (history[0]?.at ?? now)) / DAY) : 1;
  const pairs = question.about === "overlaps" ? question.options.others.length ** 2 : 1;
  return rows * measured * days * pairs;
}
