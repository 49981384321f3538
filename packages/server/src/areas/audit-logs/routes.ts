import type { auditLogs } from "@assay/contract";
import { defineHandlers } from "../../http/handler.ts";

export const routes = defineHandlers<typeof auditLogs>({
  "GET /audit-logs": ({ query, services }) => services.auditLogs.list(query),
  "GET /audit-logs/stats": ({ query, services }) => services.auditLogs.stats(query),
  "GET /audit-logs/stream": ({ request, services, readmit }) =>
    services.auditLogs.stream(request.headers.get("last-event-id"), readmit!),
  "GET /audit-logs/{id}": ({ params, services }) => services.auditLogs.require(params.id),
});
