import * as z from "zod";
import { IdOrKey, upper } from "../shared/fields.ts";
import { defineArea } from "../shared/route.ts";
import { BreakdownQuery, BreakdownResults } from "./results/breakdown.ts";
import { CupedQuery, CupedResults } from "./results/cuped.ts";
import { RESULT_SOURCES, Results } from "./results/outcome.ts";
import { SequentialQuery, SequentialResults } from "./results/sequential.ts";
import { TimeseriesQuery, TimeseriesResults } from "./results/timeseries.ts";

export * from "./results/adjustment.ts";
export * from "./results/bayesian.ts";
export * from "./results/breakdown.ts";
export * from "./results/cuped.ts";
export * from "./results/outcome.ts";
export * from "./results/sequential.ts";
export * from "./results/timeseries.ts";

const SourceQuery = z.object({
  source: upper(RESULT_SOURCES)
    .optional()
    .meta({ description: "WAREHOUSE where the experiment was synced from one, else EMBEDDED: the events sent here" }),
});

const reads = {
  auth: { user: true, key: "read" },
  limit: "api",
  cache: "results",
  params: z.object({ experiment_id: IdOrKey }),
} as const;

export const results = defineArea({
  "GET /results/{experiment_id}": {
    ...reads,
    operationId: "results.get",
    summary: "Results of an experiment, current to the last acknowledged event",
    query: SourceQuery,
    response: Results,
  },
  "GET /experiments/{experiment_id}/results": {
    ...reads,
    operationId: "experiments.results",
    summary: "The same, under the experiment",
    query: SourceQuery,
    response: Results,
  },
  "GET /results/{experiment_id}/sequential": {
    ...reads,
    operationId: "results.sequential",
    summary: "Tests that may be looked at any day, an alpha-spending schedule and whether to stop",
    query: SequentialQuery,
    response: SequentialResults,
  },
  "GET /results/{experiment_id}/cuped": {
    ...reads,
    operationId: "results.cuped",
    summary: "Effects adjusted by what the same users did before",
    query: CupedQuery,
    response: CupedResults,
  },
  "GET /results/{experiment_id}/breakdown": {
    ...reads,
    operationId: "results.breakdown",
    summary: "Effects by the segments of an attribute, with Bonferroni-corrected thresholds",
    query: BreakdownQuery,
    response: BreakdownResults,
  },
  "GET /results/{experiment_id}/timeseries": {
    ...reads,
    operationId: "results.timeseries",
    summary: "The effect day by day, for plots",
    query: TimeseriesQuery,
    response: TimeseriesResults,
  },
});
