import type { IntegrationType, integrations } from "@assay/contract";
import { type Call, defineHandlers } from "../../http/handler.ts";
import { countedPage, pageOf } from "../../http/page.ts";

const receive =
  (type: IntegrationType) =>
  ({ params, query, body, request, caller, services }: Call<Webhook>) =>
    services.integrations.receive(params.id, { type, bytes: body, request, token: query.token, actor: caller.actor });

type Webhook = (typeof integrations)["POST /integrations/{id}/webhook/tracker"];

export const routes = defineHandlers<typeof integrations>({
  "POST /integrations": ({ body, caller, services, change }) =>
    services.integrations.create(body, caller, change("integration.create")),
  "GET /integrations": ({ query, services, headers }) => countedPage(services.integrations.list(query), query, headers),
  "GET /integrations/{id}": ({ params, services }) => services.integrations.get(params.id),
  "PUT /integrations/{id}": ({ params, body, caller, services, change, ifVersion }) =>
    services.integrations.update(params.id, body, caller, change("integration.update"), ifVersion),
  "DELETE /integrations/{id}": ({ params, caller, services, change, ifVersion }) =>
    services.integrations.deactivate(params.id, caller, change("integration.deactivate"), ifVersion),
  "GET /integrations/{id}/deliveries": async ({ params, query, services }) =>
    pageOf(await services.integrations.deliveries(params.id), query),
  "POST /integrations/{id}/test": ({ params, caller, services }) => services.integrations.test(params.id, caller.actor),
  "POST /integrations/{id}/webhook/tracker": receive("TRACKER"),
  "POST /integrations/{id}/webhook/crm": receive("CRM"),
  "POST /integrations/{id}/webhook/codehost": ({ params, body, request, caller, services }) =>
    services.integrations.receive(params.id, { type: "CODEHOST", bytes: body, request, actor: caller.actor }),
});
