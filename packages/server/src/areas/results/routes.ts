import type { results } from "@assay/contract";
import { defineHandlers } from "../../http/handler.ts";

export const routes = defineHandlers<typeof results>({
  "GET /results/{experiment_id}": ({ params, query, services, caller }) =>
    services.results.get(params.experiment_id, caller, query.source),
  "GET /experiments/{experiment_id}/results": ({ params, query, services, caller }) =>
    services.results.get(params.experiment_id, caller, query.source),
  "GET /results/{experiment_id}/overview": ({ params, services, caller }) =>
    services.ai.overview(params.experiment_id, caller),
  "GET /results/{experiment_id}/sequential": ({ params, query, services, caller }) =>
    services.results.sequential(params.experiment_id, query, caller),
  "GET /results/{experiment_id}/cuped": ({ params, query, services, caller }) =>
    services.results.cuped(params.experiment_id, query, caller),
  "GET /results/{experiment_id}/breakdown": ({ params, query, services, caller }) =>
    services.results.breakdown(params.experiment_id, query, caller),
  "GET /results/{experiment_id}/timeseries": ({ params, query, services, caller }) =>
    services.results.timeseries(params.experiment_id, query, caller),
});
