import type { roles } from "@assay/contract";
import { defineHandlers } from "../../http/handler.ts";
import { pageOf } from "../../http/page.ts";

export const routes = defineHandlers<typeof roles>({
  "GET /roles": ({ query, services }) => pageOf(services.roles.list(), query),
  "POST /roles": ({ body, services, change }) => services.roles.create(body, change("role.create")),
  "PUT /roles/{role_name}": ({ params, body, services, change, ifVersion }) =>
    services.roles.update(params.role_name, body, change("role.update"), ifVersion),
  "DELETE /roles/{role_name}": ({ params, services, change, ifVersion }) =>
    services.roles.remove(params.role_name, change("role.delete"), ifVersion),
  "GET /users/{user_id}/permissions": ({ params, caller, services }) =>
    services.roles.permissionsOf(params.user_id, caller),
  "GET /users/{user_id}/grants": ({ params, query, services }) =>
    pageOf(services.roles.grantsOf(params.user_id), query),
  "POST /users/{user_id}/grants": ({ params, body, caller, services, change }) =>
    services.roles.grant(params.user_id, body, caller, change("grant.create")),
  "DELETE /users/{user_id}/grants/{grant_id}": ({ params, services, change }) =>
    services.roles.revoke(params.user_id, params.grant_id, change("grant.revoke")),
});
