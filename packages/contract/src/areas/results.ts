import * as z from "zod";
import { IdOrKey, upper } from "../shared/fields.ts";
import { defineArea } from "../shared/route.ts";
import { BreakdownQuery, BreakdownResults } from "./results/breakdown.ts";
import { CupedQuery, CupedResults } from "./results/cuped.ts";
import { RESULT_SOURCES, Results } from "./results/outcome.ts";
import { Overview } from "./results/overview.ts";
import { SequentialQuery, SequentialResults } from "./results/sequential.ts";
import { TimeseriesQuery, TimeseriesResults } from "./results/timeseries.ts";

export * from "./results/adjustment.ts";
export * from "./results/bayesian.ts";
export * from "./results/breakdown.ts";
export * from "./results/cuped.ts";
export * from "./results/outcome.ts";
export * from "./results/overview.ts";
export * from "./results/sequential.ts";
export * from "./results/timeseries.ts";
export * from "./results/winners-curse.ts";

const SourceQuery = z.object({
  source: upper(RESULT_SOURCES).optional().meta({
    description: "WAREHOUSE if the experiment was synced from one, otherwise EMBEDDED: the events sent to this server",
  }),
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
    summary: "Retrieve the results of an experiment, including every acknowledged event",
    query: SourceQuery,
    response: Results,
  },
  "GET /experiments/{experiment_id}/results": {
    ...reads,
    operationId: "experiments.results",
    summary: "Retrieve the results of an experiment, like `GET /results/{experiment_id}`",
    query: SourceQuery,
    response: Results,
  },
  "GET /results/{experiment_id}/overview": {
    ...reads,
    operationId: "results.overview",
    summary: "Retrieve what to know first: the decision, the effects by the test that decides, the split and warnings",
    response: Overview,
  },
  "GET /results/{experiment_id}/sequential": {
    ...reads,
    operationId: "results.sequential",
    summary:
      "Retrieve sequential results, which stay valid under daily looks, with an alpha-spending schedule and a stopping decision",
    query: SequentialQuery,
    response: SequentialResults,
  },
  "GET /results/{experiment_id}/cuped": {
    ...reads,
    operationId: "results.cuped",
    summary: "Retrieve CUPED results: effects adjusted by what the same users did before their exposure",
    query: CupedQuery,
    response: CupedResults,
  },
  "GET /results/{experiment_id}/breakdown": {
    ...reads,
    operationId: "results.breakdown",
    summary: "Retrieve the effects by segments of an attribute, with Bonferroni-corrected thresholds",
    query: BreakdownQuery,
    response: BreakdownResults,
  },
  "GET /results/{experiment_id}/timeseries": {
    ...reads,
    operationId: "results.timeseries",
    summary: "Retrieve the effect day by day, for charts",
    query: TimeseriesQuery,
    response: TimeseriesResults,
  },
});
