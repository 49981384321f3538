import type { apiKeys } from "@assay/contract";
import { defineHandlers } from "../../http/handler.ts";

export const routes = defineHandlers<typeof apiKeys>({
  "POST /api-keys": ({ body, caller, services, change }) =>
    services.apiKeys.create(body, caller, change("api_key.create")),
  "GET /api-keys": ({ caller, services }) => services.apiKeys.visibleTo(caller),
  "DELETE /api-keys/{id}": ({ params, services, change }) =>
    services.apiKeys.revoke(params.id, change("api_key.revoke")),
});
