import type { openfeature } from "@assay/contract";
import { defineHandlers } from "../../http/handler.ts";

export default defineHandlers<typeof openfeature>({
  "GET /openfeature/flags": ({ caller, services, headers }) => {
    headers.ETag = `"${services.openfeature.version(caller)}"`;
    return services.openfeature.definitions(caller);
  },
  "POST /openfeature/evaluate": ({ body, caller, services }) => services.openfeature.evaluate(body, caller),
  "POST /openfeature/bulk-evaluate": ({ body, caller, services }) =>
    body.map((question) => services.openfeature.evaluate(question, caller)),
  "GET /openfeature/stream": ({ caller, request, services, readmit }) =>
    services.openfeature.stream(caller, request.headers.get("last-event-id"), readmit!),
});
