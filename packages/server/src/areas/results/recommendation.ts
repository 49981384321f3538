import type { Metric, SequentialResults } from "@assay/contract";

type Row = SequentialResults["metrics"][number];
type Recommendation = SequentialResults["recommendation"];

/** A row, what it measures, and the effect that was expected of it, in the metric's units. */
export interface SequentialVerdict {
  metric: Metric;
  row: Row;
  expected: number | null;
}

type Standing = "EFFECT" | "HARM" | "FUTILE" | "OPEN";

/**
 * What the any-time-valid tests say about going on; the alpha-spending boundaries are another way to decide and have no
 * part in it. An arm has an effect where a PRIMARY metric is significantly better and neither a PRIMARY nor a GUARDRAIL
 * one significantly worse; it is futile where the intervals of all PRIMARY metrics rule the expected lift out. Without
 * a PRIMARY metric the first one is.
 */
export function recommend(
  verdicts: readonly SequentialVerdict[],
  { alpha, expected_lift }: { alpha: number; expected_lift: number },
): Recommendation {
  const primary = verdicts.some(({ metric }) => metric.role === "PRIMARY")
    ? (one: SequentialVerdict) => one.metric.role === "PRIMARY"
    : (one: SequentialVerdict) => one.metric.id === verdicts[0]?.metric.id;
  const arms = [...new Set(verdicts.map(({ row }) => row.variant))];
  const standings = arms.map((arm) =>
    standingOf(
      verdicts.filter(({ row }) => row.variant === arm),
      primary,
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
    const lift = `${Number((100 * expected_lift).toPrecision(6))} %`;
    return { action: "STOP_FOR_FUTILITY", reason: `The intervals rule a lift of ${lift} out: ${armsThat("FUTILE")}` };
  }
  const harmed = standings.includes("HARM") ? `; significantly worse already: ${armsThat("HARM")}` : "";
  return { action: "CONTINUE", reason: `No effect is significant at ${alpha}, and none is ruled out${harmed}` };
}

function standingOf(verdicts: readonly SequentialVerdict[], isPrimary: (one: SequentialVerdict) => boolean): Standing {
  const primary = verdicts.filter(isPrimary);
  const watched = verdicts.filter((one) => isPrimary(one) || one.metric.role === "GUARDRAIL");
  if (watched.some((one) => one.row.is_significant && gainOf(one) < 0)) return "HARM";
  if (primary.some((one) => one.row.is_significant && gainOf(one) > 0)) return "EFFECT";
  return primary.length > 0 && primary.every(isFutile) ? "FUTILE" : "OPEN";
}

/** How much better, by the metric's direction: the middle of the interval, which all looks have made. */
function gainOf({ metric, row }: SequentialVerdict): number {
  const interval = row.confidence_interval;
  const middle = interval ? (interval[0] + interval[1]) / 2 : (row.difference ?? 0);
  return metric.direction === "INCREASE" ? middle : -middle;
}

function isFutile({ metric, row, expected }: SequentialVerdict): boolean {
  const interval = row.confidence_interval;
  if (!interval || expected === null) return false;
  return (metric.direction === "INCREASE" ? interval[1] : -interval[0]) < expected;
}
