import type { openfeature } from "@assay/contract";
import { defineHandlers } from "../../http/handler.ts";

export default defineHandlers<typeof openfeature>({
  "GET /openfeature/flags": ({ caller, services, headers }) => {
    headers.ETag = `"${services.openfeature.version(caller)}"`;
    return services.openfeature.definitions(caller);
  },
  "POST /openfeature/evaluate": async ({ body, caller, services, forced }) =>
    services.openfeature.evaluate(body, caller, await forced()),
  "POST /openfeature/bulk-evaluate": async ({ body, caller, services, forced }) => {
    const overrides = await forced();
    return body.map((question) => services.openfeature.evaluate(question, caller, overrides));
  },
  "GET /openfeature/stream": ({ caller, request, services, readmit }) =>
    services.openfeature.stream(caller, request.headers.get("last-event-id"), readmit!),
});
