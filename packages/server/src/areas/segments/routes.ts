import type { segments } from "@assay/contract";
import { defineHandlers } from "../../http/handler.ts";
import { pageOf } from "../../http/page.ts";

export const routes = defineHandlers<typeof segments>({
  "POST /segments": ({ body, caller, services, change }) =>
    services.segments.create(body, caller, change("segment.create")),
  "GET /segments": async ({ query, caller, services }) => pageOf(await services.segments.list(query, caller), query),
  "GET /segments/{id}": ({ params, caller, services }) => services.segments.get(params.id, caller),
  "PUT /segments/{id}": ({ params, body, caller, services, change, ifVersion }) =>
    services.segments.update(params.id, body, caller, change("segment.update"), ifVersion),
  "DELETE /segments/{id}": ({ params, services, change, ifVersion }) =>
    services.segments.remove(params.id, change("segment.delete"), ifVersion),
  "POST /segments/{id}/evaluate": ({ params, body, services }) =>
    services.segments.evaluate(params.id, body.user_id, body.attributes),
});
