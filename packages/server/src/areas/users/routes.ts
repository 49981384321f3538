import type { Role, users } from "@assay/contract";
import { defineHandlers } from "../../http/handler.ts";
import { pageOf } from "../../http/page.ts";
import { requireUser } from "../../model/caller.ts";

export const routes = defineHandlers<typeof users>({
  "GET /users/me": ({ caller, services }) => {
    const { id, username, email, role, is_active } = services.users.require(requireUser(caller).userId);
    return { id, username, email, role: role.toLowerCase() as Lowercase<Role>, is_active };
  },
  "GET /users/": ({ caller, query, services }) => pageOf(services.users.visibleTo(caller), query),
  "POST /users/": ({ body, caller, services, change }) => services.users.create(body, caller, change("user.create")),
  "GET /users/{user_id}": ({ params, caller, services }) => services.users.get(params.user_id, caller),
  "PUT /users/{user_id}": ({ params, body, caller, services, change }) =>
    services.users.update(params.user_id, body, caller, change("user.update")),
  "GET /admin/users": ({ caller, query, services }) => pageOf(services.users.visibleTo(caller), query),
  "PATCH /admin/users/{user_id}": ({ params, body, caller, services, change }) =>
    services.users.administer(params.user_id, body, caller, change("user.update")),
  "DELETE /admin/users/{user_id}": ({ params, caller, services, change }) =>
    services.users.remove(params.user_id, caller, change("user.delete")),
});
