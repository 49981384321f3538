import type { Results, SequentialResults } from "@assay/contract";
import { type NoveltyTest, noveltyTest } from "@assay/core/stats";
import type { Look } from "../../analysis/looks.ts";
import { armsOf } from "../../analysis/subject.ts";
import type { ExperimentRecord } from "../experiments/record.ts";
import { comparePair } from "./comparison.ts";

/** Whether the effect on one metric wears off, for one treatment. */
export interface NoveltyEvidence {
  metricId: string;
  variant: string;
  test: NoveltyTest;
}

/** All that speaks for or against an experiment's treatments. */
export interface Evidence {
  record: ExperimentRecord;
  results: Results;
  sequential: SequentialResults;
  /** For every PRIMARY metric and treatment. */
  novelty: NoveltyEvidence[];
}

/** Tests each day's newcomers against each other; `looks` have cohorts. */
export function toNovelty(record: ExperimentRecord, looks: readonly Look[]): NoveltyEvidence[] {
  const metrics = (looks.at(-1)?.metrics ?? []).map(({ metric }) => metric);
  const treatments = armsOf(record).slice(1);
  return metrics.flatMap((metric, index) => {
    if (metric.role !== "PRIMARY") return [];
    return treatments.map(({ key }, treatment) => {
      const days = looks.map(({ cohort }) => {
        const statistics = cohort?.metrics[index];
        const compared = statistics ? comparePair(statistics, treatment + 1, record.alpha).compared : null;
        return { difference: compared?.difference ?? null, standardError: compared?.standardError ?? null };
      });
      return { metricId: metric.id, variant: key, test: noveltyTest(days, { alpha: record.alpha }) };
    });
  });
}
