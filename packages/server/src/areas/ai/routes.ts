import type { ai } from "@assay/contract";
import { notFound } from "../../ground/errors.ts";
import { defineHandlers } from "../../http/handler.ts";
import { requireSizeOfLooks } from "./sample-size.ts";
import { TEMPLATES } from "./templates.ts";

export const routes = defineHandlers<typeof ai>({
  "POST /ai/design": ({ body, caller, services }) => services.ai.design(body, caller),
  "POST /ai/interpret/{experiment_id}": ({ params, caller, services }) =>
    services.ai.interpret(params.experiment_id, caller),
  "GET /ai/sample-size": ({ query }) => requireSizeOfLooks(query),
  "GET /ai/templates": ({ query: { skip, limit, category } }) => {
    const items = TEMPLATES.filter((template) => category === undefined || template.category === category);
    return { items: items.slice(skip, skip + limit), total: items.length, skip, limit };
  },
  "GET /ai/templates/{id}": ({ params }) => {
    const template = TEMPLATES.find(({ id }) => id === params.id);
    if (!template) throw notFound();
    return template;
  },
});
