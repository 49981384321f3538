import type { integrations } from "@assay/contract";
import { defineHandlers } from "../../http/handler.ts";

export default defineHandlers<typeof integrations>({
  "POST /integrations": ({ body, caller, services, change }) =>
    services.integrations.create(body, caller, change("integration.create")),
  "GET /integrations": ({ query, services }) => services.integrations.list(query),
  "GET /integrations/{id}": ({ params, services }) => services.integrations.get(params.id),
  "PUT /integrations/{id}": ({ params, body, caller, services, change, ifVersion }) =>
    services.integrations.update(params.id, body, caller, change("integration.update"), ifVersion),
  "DELETE /integrations/{id}": ({ params, caller, services, change, ifVersion }) =>
    services.integrations.deactivate(params.id, caller, change("integration.deactivate"), ifVersion),
  "POST /integrations/{id}/test": ({ params, services }) => services.integrations.test(params.id),
});
