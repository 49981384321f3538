import type { results } from "@assay/contract";
import { defineHandlers } from "../../http/handler.ts";

/** The handlers of the results area. */
export default defineHandlers<typeof results>({
  "GET /results/{experiment_id}": ({ params, services, caller }) => services.results.get(params.experiment_id, caller),
  "GET /experiments/{experiment_id}/results": ({ params, services, caller }) =>
    services.results.get(params.experiment_id, caller),
});
