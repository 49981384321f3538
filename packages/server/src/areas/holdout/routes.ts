import type { holdout } from "@assay/contract";
import { defineHandlers } from "../../http/handler.ts";
import { pageOf } from "../../http/page.ts";

export const routes = defineHandlers<typeof holdout>({
  "GET /holdout": ({ services }) => services.holdout.active(),
  "GET /holdout/all": ({ query, services }) => pageOf(services.holdout.all(), query),
  "POST /holdout": ({ body, caller, services, change }) =>
    services.holdout.create(body, caller, change("holdout.create")),
  "PUT /holdout/{id}": ({ params, body, services, change, ifVersion }) =>
    services.holdout.update(params.id, body, change("holdout.update"), ifVersion),
  "GET /holdout/{id}": ({ params, query, services, caller }) =>
    services.holdout.report(params.id, query.event_type ?? null, caller),
  "GET /holdout/check/{uid}": ({ params, services }) => services.holdout.check(params.uid),
});
