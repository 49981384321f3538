import type { BreakdownStatistics, MetricStatistics } from "@assay/analysis";
import type { BreakdownQuery, BreakdownResults } from "@assay/contract";
import { bonferroniAlpha, cochranQ, isSignificant } from "@assay/core/stats";
import type { z } from "zod";
import { mapSteps, type Steps } from "../../ground/slices.ts";
import type { ExperimentRecord } from "../../model/experiment.ts";
import { armsOf } from "../../model/experiment-subject.ts";
import { comparePair, type Pair } from "./comparison.ts";
import { pooledWarnings } from "./looks.ts";

type Query = z.output<typeof BreakdownQuery>;
type Row = BreakdownResults["segments"][number];

/** A possible comparison: one metric of one treatment in one segment. */
interface Candidate {
  segment: string;
  variant: string;
  arm: number;
  users: number[];
  statistics: MetricStatistics;
}

const MIN_USERS = 2;

/**
 * Computes the answer of a breakdown. Bonferroni's correction counts every comparison that can be tested, and intervals
 * are at the corrected level.
 */
export function* toBreakdown(
  record: ExperimentRecord,
  breakdown: BreakdownStatistics,
  query: Query,
): Steps<BreakdownResults> {
  const candidates = toCandidates(record, breakdown);
  const tested = yield* mapSteps(candidates, (one) => isTested(one, comparePair(one.statistics, one.arm, 0.05)));
  const comparisons = tested.filter(Boolean).length;
  const alpha = bonferroniAlpha(query.base_alpha, comparisons);
  const segments = yield* mapSteps(candidates, (one) => toRow(one, alpha, comparisons));
  return {
    experiment_id: record.id,
    dimension: query.dimension,
    base_alpha: query.base_alpha,
    corrected_alpha: alpha,
    comparisons,
    heterogeneity: toHeterogeneity(segments),
    segments,
    analysis_warnings: pooledWarnings(record),
  };
}

function toCandidates(record: ExperimentRecord, { segments }: BreakdownStatistics): Candidate[] {
  const treatments = armsOf(record).slice(1);
  return segments.flatMap(({ segment, users, metrics }) =>
    metrics.flatMap((statistics) =>
      treatments.map(({ key: variant }, index) => ({ segment, variant, arm: index + 1, users, statistics })),
    ),
  );
}

function isTested({ users, arm }: Candidate, { compared }: Pair): boolean {
  return Math.min(users[0]!, users[arm]!) >= MIN_USERS && compared.pValue !== null;
}

function toRow(candidate: Candidate, alpha: number, comparisons: number): Row {
  const { segment, variant, arm, users, statistics } = candidate;
  const pair = comparePair(statistics, arm, alpha);
  const { control, treatment, compared, adjustment } = pair;
  const tested = isTested(candidate, pair);
  const pValue = tested ? compared.pValue : null;
  return {
    segment,
    metric: statistics.metric.name,
    metric_id: statistics.metric.id,
    variant,
    n_control: users[0]!,
    n_treatment: users[arm]!,
    control_value: control.value,
    treatment_value: treatment.value,
    difference: compared.difference,
    standard_error: tested ? compared.standardError : null,
    p_value: pValue,
    adjusted_p_value: pValue === null ? null : Math.min(1, pValue * comparisons),
    confidence_interval: tested ? compared.confidenceInterval : null,
    is_significant: isSignificant(pValue, alpha),
    ...(adjustment && { adjustment }),
    status: tested || compared.status !== "OK" ? compared.status : "INSUFFICIENT_DATA",
  };
}

/** Whether the effects differ between segments, per metric and treatment. */
function toHeterogeneity(rows: readonly Row[]): BreakdownResults["heterogeneity"] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const name = JSON.stringify([row.metric_id, row.variant]);
    const group = groups.get(name);
    if (group) group.push(row);
    else groups.set(name, [row]);
  }
  return [...groups.values()].map((group) => {
    const { metric, metric_id, variant } = group[0]!;
    const effects = group.map(({ difference, standard_error }) => ({ difference, standardError: standard_error }));
    const { q, df, pValue } = cochranQ(effects);
    return { metric, metric_id, variant, q, df, p_value: pValue };
  });
}
