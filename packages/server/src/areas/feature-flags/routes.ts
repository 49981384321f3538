import type { featureFlags } from "@assay/contract";
import { contextOf } from "../../definitions/user-context.ts";
import { andThen } from "../../ground/awaitable.ts";
import { toVersionedEtag } from "../../http/etag.ts";
import { type Call, defineHandlers } from "../../http/handler.ts";
import { countedPage } from "../../http/page.ts";
import { toggleAll } from "./bulk-toggle.ts";

type Update = Call<(typeof featureFlags)["PUT /feature-flags/{id}"]>;

const update = async ({ params, body, services: { featureFlags }, change, ifVersion }: Update) =>
  featureFlags.show(await featureFlags.update(params.id, body, change("feature_flag.update"), ifVersion));

export const routes = defineHandlers<typeof featureFlags>({
  "GET /feature-flags/": ({ query, caller, services: { featureFlags }, headers }) =>
    countedPage(featureFlags.list(query, caller), query, headers).map((flag) => featureFlags.summarize(flag, caller)),
  "POST /feature-flags/": async ({ body, caller, services: { featureFlags }, change }) =>
    featureFlags.show(await featureFlags.create(body, caller, change("feature_flag.create"))),
  "GET /feature-flags/{id}": ({ params, services: { featureFlags }, headers }) => {
    const flag = featureFlags.show(featureFlags.require(params.id));
    // Staleness changes without a new version, so the version alone is not a valid ETag.
    headers.ETag = toVersionedEtag(flag.version, [flag.id, flag.last_evaluated_at, flag.stale_reasons]);
    return flag;
  },
  "PUT /feature-flags/{id}": update,
  "PATCH /feature-flags/{id}": update,
  "PATCH /feature-flags/{id}/rollout": async ({ params, body, services, change, ifVersion }) =>
    services.featureFlags.show(
      await services.featureFlags.update(params.id, body, change("feature_flag.rollout"), ifVersion),
    ),
  "DELETE /feature-flags/{id}": ({ params, services, change, ifVersion }) =>
    services.featureFlags.remove(params.id, change("feature_flag.delete"), ifVersion),
  "POST /feature-flags/bulk-toggle": ({ body, services, change }) => toggleAll(services.featureFlags, body, change),
  "POST /feature-flags/explain": async ({ body, query, services, headers }) => {
    const { flags, total } = await services.flagExplanations.explain(body, query);
    headers["X-Total-Count"] = String(total);
    return { flags };
  },
  "GET /feature-flags/{id}/history": ({ params, query, services }) => services.flagHistory.list(params.id, query),
  "GET /feature-flags/user/{user_id}": async ({ params, query, caller, services, forced }) =>
    services.featureFlags.enabledFor(params.user_id, query.context, caller, await forced()),
  "POST /feature-flags/{key}/evaluate": ({ params, query, body, caller, services, forced }) => {
    const context = contextOf(body.user_id, body.attributes);
    return andThen(forced(), (overrides) =>
      services.featureFlags.evaluate(params.key, context, caller, { trace: query.explain, overrides }),
    );
  },
});
