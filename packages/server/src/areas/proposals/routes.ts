import type { proposals } from "@assay/contract";
import { defineHandlers } from "../../http/handler.ts";
import { pageOf } from "../../http/page.ts";

export const routes = defineHandlers<typeof proposals>({
  "POST /proposals": ({ body, services, ...asked }) => services.proposals.create(body, asked),
  "GET /proposals": ({ query, caller, services }) => {
    const page = pageOf(services.proposals.list(query), query);
    return { ...page, items: page.items.map((one) => services.proposals.summarize(one, caller)) };
  },
  "GET /proposals/{id}": ({ params, services, ...asked }) => services.proposals.show(params.id, asked),
  "POST /proposals/{id}/approve": ({ params, body, services, ...asked }) =>
    services.proposals.approve(params.id, body?.reason, asked),
  "POST /proposals/{id}/reject": ({ params, body, services, ...asked }) =>
    services.proposals.reject(params.id, body.reason, asked),
  "POST /proposals/{id}/withdraw": ({ params, services, ...asked }) => services.proposals.withdraw(params.id, asked),
});
