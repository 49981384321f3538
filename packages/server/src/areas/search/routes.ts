import type { search } from "@assay/contract";
import { defineHandlers } from "../../http/handler.ts";

export const routes = defineHandlers<typeof search>({
  "GET /search": ({ query, caller, services }) => services.search.find(query.q, query.limit, caller),
});
