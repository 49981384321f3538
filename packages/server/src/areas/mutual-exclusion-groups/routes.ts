import type { mutualExclusionGroups } from "@assay/contract";
import { defineHandlers } from "../../http/handler.ts";
import { pageOf } from "../../http/page.ts";

export const routes = defineHandlers<typeof mutualExclusionGroups>({
  "GET /mutual-exclusion-groups": ({ query, caller, services }) =>
    pageOf(services.groups.list(query.status_filter, caller), query),
  "POST /mutual-exclusion-groups": ({ body, caller, services, change }) =>
    services.groups.create(body, caller, change("mutual_exclusion_group.create")),
  "GET /mutual-exclusion-groups/{group_id}": ({ params, caller, services }) =>
    services.groups.get(params.group_id, caller),
  "PUT /mutual-exclusion-groups/{group_id}": ({ params, body, caller, services, change, ifVersion }) =>
    services.groups.update(params.group_id, body, caller, change("mutual_exclusion_group.update"), ifVersion),
  "DELETE /mutual-exclusion-groups/{group_id}": ({ params, services, change, ifVersion }) =>
    services.groups.archive(params.group_id, change("mutual_exclusion_group.archive"), ifVersion),
  "POST /mutual-exclusion-groups/{group_id}/experiments": ({ params, body, caller, services, change }) =>
    services.groups.add(params.group_id, body, caller, change("mutual_exclusion_group.add_experiment")),
  "DELETE /mutual-exclusion-groups/{group_id}/experiments/{eid}": ({ params, caller, services, change }) =>
    services.groups.leave(params.group_id, params.eid, caller, change("mutual_exclusion_group.remove_experiment")),
});
