import type { featureFlags } from "@assay/contract";
import { type Call, defineHandlers } from "../../http/handler.ts";
import { toggleAll } from "./bulk-toggle.ts";

const update = ({
  params,
  body,
  caller,
  services,
  change,
  ifVersion,
}: Call<(typeof featureFlags)["PUT /feature-flags/{id}"]>) =>
  services.featureFlags.update(params.id, body, caller, change("feature_flag.update"), ifVersion);

export default defineHandlers<typeof featureFlags>({
  "GET /feature-flags/": ({ query, services }) =>
    services.featureFlags.list(query).slice(query.skip, query.skip + query.limit),
  "POST /feature-flags/": ({ body, caller, services, change }) =>
    services.featureFlags.create(body, caller, change("feature_flag.create")),
  "GET /feature-flags/{id}": ({ params, services }) => services.featureFlags.require(params.id),
  "PUT /feature-flags/{id}": update,
  "PATCH /feature-flags/{id}": update,
  "PATCH /feature-flags/{id}/rollout": ({ params, body, caller, services, change, ifVersion }) =>
    services.featureFlags.update(params.id, body, caller, change("feature_flag.rollout"), ifVersion),
  "DELETE /feature-flags/{id}": ({ params, caller, services, change, ifVersion }) =>
    services.featureFlags.remove(params.id, caller, change("feature_flag.delete"), ifVersion),
  "POST /feature-flags/bulk-toggle": ({ body, caller, services, change }) =>
    toggleAll(services.featureFlags, body, caller, change),
  "GET /feature-flags/{id}/history": ({ params, query, services }) => services.flagHistory.list(params.id, query),
  "GET /feature-flags/user/{user_id}": ({ params, query, caller, services }) =>
    services.featureFlags.enabledFor(params.user_id, query.context, caller),
  "POST /feature-flags/{key}/evaluate": ({ params, query, body, caller, services }) =>
    services.featureFlags.evaluate(params.key, body.user_id, body.attributes, caller, query.explain),
});
