import type { safety } from "@assay/contract";
import { defineHandlers } from "../../http/handler.ts";
import { pageOf } from "../../http/page.ts";

export const routes = defineHandlers<typeof safety>({
  "GET /safety/settings": ({ services }) => services.safety.settings(),
  "PUT /safety/settings": ({ body, services, change }) =>
    services.safety.updateSettings(body, change("safety_settings.update")),
  "GET /safety/feature-flags/{id}": ({ params, services }) => services.safety.flag(params.id),
  "PUT /safety/feature-flags/{id}": ({ params, body, services, change }) =>
    services.safety.updateFlag(params.id, body, change("flag_safety.update")),
  "POST /safety/rollback/{flag_id}": ({ params, body, caller, services, change }) =>
    services.safety.rollback(params.flag_id, body ?? { percentage: 0 }, caller, change),
  "GET /safety/rollback-history": ({ query, services }) => pageOf(services.safety.history(query), query),
});
