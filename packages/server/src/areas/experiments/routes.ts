import type { experiments } from "@assay/contract";
import { type Call, defineHandlers } from "../../http/handler.ts";
import { pageOf } from "../../http/page.ts";
import { toSummary } from "./summary.ts";

const update = ({
  params,
  body,
  caller,
  services,
  change,
  ifVersion,
}: Call<(typeof experiments)["PUT /experiments/{experiment_id}"]>) =>
  services.experiments.update(params.experiment_id, body, caller, change("experiment.update"), ifVersion);

const moveTo =
  (status: "ACTIVE" | "PAUSED" | "ARCHIVED", action: string) =>
  ({
    params,
    caller,
    services,
    change,
    ifVersion,
  }: Call<(typeof experiments)["POST /experiments/{experiment_id}/start"]>) =>
    services.experiments.move(params.experiment_id, status, caller, change(action), ifVersion);

export const routes = defineHandlers<typeof experiments>({
  "GET /experiments/": ({ query, caller, services }) => {
    const page = pageOf(services.experiments.list(query, caller), query);
    return { ...page, items: page.items.map((one) => toSummary(one, services)) };
  },
  "POST /experiments/": ({ body, caller, services, change }) =>
    services.experiments.create(body, caller, change("experiment.create")),
  "GET /experiments/{experiment_id}": ({ params, caller, services }) =>
    services.experiments.require(params.experiment_id, caller),
  "PUT /experiments/{experiment_id}": update,
  "PATCH /experiments/{experiment_id}": update,
  "DELETE /experiments/{experiment_id}": ({ params, caller, services, change, ifVersion }) =>
    services.experiments.remove(params.experiment_id, caller, change("experiment.delete"), ifVersion),
  "POST /experiments/{experiment_id}/start": moveTo("ACTIVE", "experiment.start"),
  "POST /experiments/{experiment_id}/pause": moveTo("PAUSED", "experiment.pause"),
  "POST /experiments/{experiment_id}/complete": ({ params, body, caller, services, change, ifVersion }) =>
    services.experiments.complete(params.experiment_id, body?.winner, caller, change("experiment.complete"), ifVersion),
  "POST /experiments/{experiment_id}/archive": moveTo("ARCHIVED", "experiment.archive"),
  "POST /experiments/{experiment_id}/clone": ({ params, body, caller, services, change }) =>
    services.experiments.clone(params.experiment_id, body ?? {}, caller, change("experiment.clone")),
  "GET /experiments/{experiment_id}/split-url/preview": ({ params, query, caller, services }) =>
    services.experiments.previewSplitUrl(params.experiment_id, query.user_id, query.attributes, caller),
});
