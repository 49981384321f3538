import type { interactions } from "@assay/contract";
import { defineHandlers } from "../../http/handler.ts";

export const routes = defineHandlers<typeof interactions>({
  "GET /interactions/scan": ({ query, services }) => services.interactions.scan(query),
  "GET /interactions/{exp_a_id}/{exp_b_id}": ({ params, query, caller, services }) =>
    services.interactions.pair(params.exp_a_id, params.exp_b_id, query, caller),
  "GET /interactions/{exp_a_id}/{exp_b_id}/novelty": ({ params, query, caller, services }) =>
    services.interactions.novelty(params.exp_a_id, params.exp_b_id, query, caller),
});
