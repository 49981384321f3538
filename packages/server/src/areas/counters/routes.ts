import type { counters } from "@assay/contract";
import { defineHandlers } from "../../http/handler.ts";

export const routes = defineHandlers<typeof counters>({
  "GET /counters/{experiment_id}": ({ params, caller, services }) =>
    services.counters.get(params.experiment_id, caller),
  "POST /counters/{experiment_id}/increment": ({ params, body, caller, services }) =>
    services.counters.increment(params.experiment_id, body, caller),
  "POST /counters/{experiment_id}/bulk": ({ params, body, caller, services }) =>
    services.counters.bulk(params.experiment_id, body.increments, caller),
  "DELETE /counters/{experiment_id}": ({ params, caller, services, change }) =>
    services.counters.reset(params.experiment_id, caller, change("counters.reset")),
});
