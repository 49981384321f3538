import type { bandit } from "@assay/contract";
import { defineHandlers } from "../../http/handler.ts";

export const routes = defineHandlers<typeof bandit>({
  "GET /bandit/{experiment_id}": ({ params, caller, services }) => services.bandit.get(params.experiment_id, caller),
  "POST /bandit/{experiment_id}/update": ({ params, caller, services, change }) =>
    services.bandit.update(params.experiment_id, caller, change("bandit.update")),
  "PUT /bandit/{experiment_id}/weights": ({ params, body, caller, services, change }) =>
    services.bandit.setWeights(params.experiment_id, body.weights, caller, change("bandit.weights")),
});
