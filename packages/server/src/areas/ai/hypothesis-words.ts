import type { MetricResult } from "@assay/contract";
import { isEstablished } from "@assay/core/stats";
import type { Finding } from "./interpretation.ts";

/** Describes the hypothesis of a metric with a margin, such as `non-inferiority within 2 %`. */
export function within({ hypothesis, margin }: Pick<MetricResult, "hypothesis" | "margin">): string {
  const share = `${Number((100 * (margin ?? 0)).toPrecision(4))} %`;
  return hypothesis === "EQUIVALENCE" ? `equivalence within ${share}` : `non-inferiority within ${share}`;
}

/** Describes what a finding shows of its treatment, as a clause. */
export function shows({ row, conclusion }: Finding): string {
  switch (conclusion) {
    case "NON_INFERIOR":
      return `${row.variant} is not inferior to control on ${row.name} (${within(row)})`;
    case "EQUIVALENT":
      return `${row.variant} is equivalent to control on ${row.name} (${within(row)})`;
    case "INFERIOR":
      return `${row.variant} is worse than control on ${row.name}`;
    case "SUPERIOR":
      return `${row.variant} is better than control on ${row.name}`;
    case "INCONCLUSIVE":
      return `${row.variant} shows nothing yet on ${row.name}`;
  }
}

/** Whether a guardrail has a margin, and its treatment is not shown to be within it. */
export function isUnshown({ row, isPrimary, isGuardrail, establishedBy, conclusion }: Finding): boolean {
  if (isPrimary || !isGuardrail || row.margin === null) return false;
  return establishedBy === null || !isEstablished(row.hypothesis, conclusion);
}
