import type { Metric, SequentialResults } from "@assay/contract";
import { type Conclusion, isEstablished } from "@assay/core/stats";
import { type Deciding, decidingRows } from "../../model/deciding-metrics.ts";
import type { SequentialRow } from "../../model/sequential-row.ts";

type Recommendation = SequentialResults["recommendation"];

/** A row, its metric, and the expected lift: the smallest that the planned size finds, or else the assumed one. */
export interface SequentialVerdict {
  metric: Metric;
  row: SequentialRow;
  expectedLift: number | null;
  isPlanned: boolean;
}

/** BLOCKED: an effect, but the margin of a guardrail is not established yet. */
type Standing = "EFFECT" | "BLOCKED" | "HARM" | "FUTILE" | "OPEN";

/** Returns the verdicts that can lead to a recommendation. */
function decidingVerdicts(verdicts: readonly SequentialVerdict[]): {
  [Test in keyof Deciding]: (one: Pick<SequentialVerdict, "metric" | "row">) => boolean;
} {
  const ranked = ({ metric }: Pick<SequentialVerdict, "metric">) => ({ role: metric.role, metric_id: metric.id });
  const { isPrimary, isWatched } = decidingRows(verdicts.map(ranked));
  return { isPrimary: (one) => isPrimary(ranked(one)), isWatched: (one) => isWatched(ranked(one)) };
}

/**
 * Recommends whether to continue, by the tests that are valid at any time, or by those at planned looks.
 *
 * An arm has an effect if a PRIMARY metric establishes its hypothesis (it is better, or within its margin), no PRIMARY
 * or GUARDRAIL metric is worse, and each GUARDRAIL metric with a margin is established to be within it. A guardrail
 * that is not significantly worse has not established that.
 *
 * Adjusted p-values decide, so that the probability of a wrong recommendation, of any arm by any metric, is at most
 * alpha.
 *
 * An arm is futile if the intervals of the lift of all its PRIMARY metrics exclude the expected lift, or the whole
 * margin. Without a PRIMARY metric, the first metric counts as one.
 */
export function recommend(
  verdicts: readonly SequentialVerdict[],
  alpha: number,
  when: "at any time" | "at a planned look",
): Recommendation {
  const deciding = decidingVerdicts(verdicts);
  const arms = [...new Set(verdicts.map(({ row }) => row.variant))];
  const standings = arms.map((arm) =>
    standingOf(
      verdicts.filter(({ row }) => row.variant === arm),
      deciding,
    ),
  );
  const armsThat = (standing: Standing) => arms.filter((_, index) => standings[index] === standing).join(", ");
  if (arms.length === 0) return { action: "CONTINUE", reason: "There is no data yet" };
  if (standings.includes("EFFECT")) {
    const words = effectWords(verdicts.filter((one) => deciding.isPrimary(one)));
    return { action: "STOP_FOR_EFFECT", reason: `${words} at ${alpha} ${when}: ${armsThat("EFFECT")}` };
  }
  const isOpen = standings.includes("OPEN") || standings.includes("BLOCKED");
  if (standings.includes("HARM") && !isOpen) {
    return { action: "STOP_FOR_HARM", reason: `Significantly worse at ${alpha} ${when}: ${armsThat("HARM")}` };
  }
  if (standings.every((standing) => standing === "FUTILE")) {
    return {
      action: "STOP_FOR_FUTILITY",
      reason: futileWords(verdicts.filter(deciding.isPrimary), armsThat("FUTILE")),
    };
  }
  const harmed = standings.includes("HARM") ? `; significantly worse already: ${armsThat("HARM")}` : "";
  if (standings.includes("BLOCKED")) {
    const missing = verdicts.filter((one) => isMissing(one, deciding));
    const names = [...new Set(missing.map(({ metric }) => metric.name))].join(", ");
    const reason = `Established, but not yet within the margin of ${names}: ${armsThat("BLOCKED")}${harmed}`;
    return { action: "CONTINUE", reason };
  }
  return {
    action: "CONTINUE",
    reason: `No effect is significant at ${alpha}, and the expected one is not excluded${harmed}`,
  };
}

/** Whether a guardrail has a margin that is not established. */
function isMissing(
  { metric, row }: SequentialVerdict,
  { isPrimary }: Pick<ReturnType<typeof decidingVerdicts>, "isPrimary">,
): boolean {
  const isGuardrail = metric.role === "GUARDRAIL" && !isPrimary({ metric, row });
  return isGuardrail && row.hypothesis !== "SUPERIORITY" && !isEstablished(row.hypothesis, row.conclusion);
}

function standingOf(verdicts: readonly SequentialVerdict[], deciding: ReturnType<typeof decidingVerdicts>): Standing {
  const primary = verdicts.filter(deciding.isPrimary);
  if (verdicts.some((one) => deciding.isWatched(one) && one.row.conclusion === "INFERIOR")) return "HARM";
  if (primary.some(({ row }) => isEstablished(row.hypothesis, row.conclusion))) {
    return verdicts.some((one) => isMissing(one, deciding)) ? "BLOCKED" : "EFFECT";
  }
  return primary.length > 0 && primary.every(isFutile) ? "FUTILE" : "OPEN";
}

const WORDS: Partial<Record<Conclusion, string>> = {
  SUPERIOR: "Significantly better",
  NON_INFERIOR: "Non-inferior within the margin",
  EQUIVALENT: "Equivalent within the margin",
};

/** Describes what the primary metrics establish. */
function effectWords(primary: readonly SequentialVerdict[]): string {
  const established = primary.filter(({ row }) => isEstablished(row.hypothesis, row.conclusion));
  const conclusions = (Object.keys(WORDS) as Conclusion[]).filter((word) =>
    established.some(({ row }) => row.conclusion === word),
  );
  return conclusions.map((word, index) => (index === 0 ? WORDS[word] : WORDS[word]?.toLowerCase())).join(", ");
}

/** Describes what the intervals of the primary metrics rule out. */
function futileWords(primary: readonly SequentialVerdict[], arms: string): string {
  if (primary.some(({ row }) => row.hypothesis !== "SUPERIORITY")) {
    return `The intervals exclude the hypotheses of the PRIMARY metrics: ${arms}`;
  }
  const largest = primary.reduce((most, one) => ((one.expectedLift ?? 0) > (most.expectedLift ?? 0) ? one : most));
  const { metric, expectedLift, isPlanned } = largest;
  const lift = `${Number((100 * (expectedLift ?? 0)).toPrecision(3))} %`;
  const aim = isPlanned ? "was planned to find" : "expects";
  return `The experiment ${aim} an improvement of ${lift} in ${metric.name}, and one that large is ruled out: ${arms}`;
}

/** Whether the current interval of the lift excludes the expected lift, or the whole margin. */
function isFutile({ metric, row, expectedLift }: SequentialVerdict): boolean {
  const interval = row.relative_confidence_interval;
  if (!interval) return false;
  const [worst, best] = metric.direction === "INCREASE" ? interval : [-interval[1], -interval[0]];
  if (row.margin === null) return expectedLift !== null && best < expectedLift;
  return best < -row.margin || (row.hypothesis === "EQUIVALENCE" && worst > row.margin);
}
