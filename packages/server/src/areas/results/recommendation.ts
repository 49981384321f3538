import type { Metric, SequentialResults } from "@assay/contract";
import { isSignificant } from "@assay/core/stats";
import { type Deciding, decidingRows } from "../../model/deciding-metrics.ts";

type Row = SequentialResults["metrics"][number];
type Recommendation = SequentialResults["recommendation"];

/** A row, its metric, and the lift that was expected of it. */
export interface SequentialVerdict {
  metric: Metric;
  row: Row;
  expectedLift: number | null;
}

type Standing = "EFFECT" | "HARM" | "FUTILE" | "OPEN";

/** The verdicts that can lead to a recommendation. */
function decidingVerdicts(verdicts: readonly SequentialVerdict[]): {
  [Test in keyof Deciding]: (one: SequentialVerdict) => boolean;
} {
  const ranked = ({ metric }: SequentialVerdict) => ({ role: metric.role, metric_id: metric.id });
  const { isPrimary, isWatched } = decidingRows(verdicts.map(ranked));
  return { isPrimary: (one) => isPrimary(ranked(one)), isWatched: (one) => isWatched(ranked(one)) };
}

/**
 * Recommends whether to go on, by the tests that may be read at any time; the alpha-spending boundaries are another way
 * to decide and have no part in it. An arm has an effect if a PRIMARY metric is significantly better, and neither a
 * PRIMARY nor a GUARDRAIL metric significantly worse. Significant is an adjusted p-value below alpha, so that a wrong
 * recommendation of any arm by any metric has at most that probability. An arm is futile if the intervals of the lift of
 * all its PRIMARY metrics exclude the expected lift. Without a PRIMARY metric the first one is taken for it.
 */
export function recommend(verdicts: readonly SequentialVerdict[], alpha: number): Recommendation {
  const deciding = decidingVerdicts(verdicts);
  const arms = [...new Set(verdicts.map(({ row }) => row.variant))];
  const standings = arms.map((arm) =>
    standingOf(
      verdicts.filter(({ row }) => row.variant === arm),
      deciding,
      alpha,
    ),
  );
  const armsThat = (standing: Standing) => arms.filter((_, index) => standings[index] === standing).join(", ");
  if (arms.length === 0) return { action: "CONTINUE", reason: "There is no data yet" };
  if (standings.includes("EFFECT")) {
    return { action: "STOP_FOR_EFFECT", reason: `Significantly better at ${alpha} at any time: ${armsThat("EFFECT")}` };
  }
  if (standings.includes("HARM") && !standings.includes("OPEN")) {
    return { action: "STOP_FOR_HARM", reason: `Significantly worse at ${alpha} at any time: ${armsThat("HARM")}` };
  }
  if (standings.every((standing) => standing === "FUTILE")) {
    const lifts = verdicts.filter(deciding.isPrimary).map((one) => one.expectedLift ?? 0);
    const lift = `${Number((100 * Math.max(...lifts)).toPrecision(3))} %`;
    return { action: "STOP_FOR_FUTILITY", reason: `The intervals exclude a lift of ${lift}: ${armsThat("FUTILE")}` };
  }
  const harmed = standings.includes("HARM") ? `; significantly worse already: ${armsThat("HARM")}` : "";
  return {
    action: "CONTINUE",
    reason: `No effect is significant at ${alpha}, and the expected one is not excluded${harmed}`,
  };
}

function standingOf(
  verdicts: readonly SequentialVerdict[],
  { isPrimary, isWatched }: ReturnType<typeof decidingVerdicts>,
  alpha: number,
): Standing {
  const primary = verdicts.filter(isPrimary);
  const isDecided = ({ row }: SequentialVerdict) => isSignificant(row.adjusted_p_value, alpha);
  if (verdicts.some((one) => isWatched(one) && isDecided(one) && gainOf(one) < 0)) return "HARM";
  if (primary.some((one) => isDecided(one) && gainOf(one) > 0)) return "EFFECT";
  return primary.length > 0 && primary.every(isFutile) ? "FUTILE" : "OPEN";
}

/** The improvement, by the metric's direction: the middle of the interval that all looks share. */
function gainOf({ metric, row }: SequentialVerdict): number {
  const interval = row.confidence_interval;
  const middle = interval ? (interval[0] + interval[1]) / 2 : (row.difference ?? 0);
  return metric.direction === "INCREASE" ? middle : -middle;
}

/** Whether the interval of the lift, as it is now, excludes the expected lift. */
function isFutile({ metric, row, expectedLift }: SequentialVerdict): boolean {
  const interval = row.relative_confidence_interval;
  if (!interval || expectedLift === null) return false;
  return (metric.direction === "INCREASE" ? interval[1] : -interval[0]) < expectedLift;
}
