import type { apiKeys } from "@assay/contract";
import { defineHandlers } from "../../http/handler.ts";
import { countedPage } from "../../http/page.ts";

export const routes = defineHandlers<typeof apiKeys>({
  "POST /api-keys": ({ body, caller, services, change }) =>
    services.apiKeys.create(body, caller, change("api_key.create")),
  "GET /api-keys": ({ caller, query, services, headers }) =>
    countedPage(services.apiKeys.visibleTo(caller, query.search), query, headers),
  "GET /api-keys/current": ({ caller, services }) => services.apiKeys.current(caller),
  "POST /api-keys/{id}/rotate": ({ params, caller, services, change }) =>
    services.apiKeys.rotate(params.id, caller, change("api_key.rotate")),
  "DELETE /api-keys/{id}": ({ params, services, change }) =>
    services.apiKeys.revoke(params.id, change("api_key.revoke")),
});
