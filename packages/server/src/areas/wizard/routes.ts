import type { wizard } from "@assay/contract";
import { defineHandlers } from "../../http/handler.ts";

export const routes = defineHandlers<typeof wizard>({
  "POST /wizard/drafts": ({ body, caller, services, change }) =>
    services.wizard.create(body ?? {}, caller, change("wizard_draft.create")),
  "GET /wizard/drafts": ({ query, caller, services }) => services.wizard.list(caller, query),
  "GET /wizard/drafts/{id}": ({ params, caller, services }) => services.wizard.get(params.id, caller),
  "PUT /wizard/drafts/{id}": ({ params, body, caller, services, change, ifVersion }) =>
    services.wizard.update(params.id, body ?? {}, caller, change("wizard_draft.update"), ifVersion),
  "DELETE /wizard/drafts/{id}": ({ params, caller, services, change }) =>
    services.wizard.remove(params.id, caller, change("wizard_draft.delete")),
  "POST /wizard/drafts/{id}/validate": ({ params, caller, services }) => services.wizard.validate(params.id, caller),
  "POST /wizard/drafts/{id}/submit": async ({ params, caller, services, change }) => {
    const experiment = await services.wizard.submit(params.id, caller, change);
    return { experiment_id: experiment.id, experiment };
  },
});
