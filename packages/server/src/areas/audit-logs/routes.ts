import type { auditLogs } from "@assay/contract";
import { defineHandlers } from "../../http/handler.ts";

export const routes = defineHandlers<typeof auditLogs>({
  "GET /audit-logs": ({ query, caller, services }) => services.auditLogs.list(query, caller),
  "GET /audit-logs/stats": ({ query, services }) => services.auditLogs.stats(query),
  "GET /audit-logs/stream": ({ request, caller, services, readmit }) =>
    services.auditLogs.stream(request.headers.get("last-event-id"), caller, readmit!),
  "GET /audit-logs/{id}": ({ params, caller, services }) => services.auditLogs.require(params.id, caller),
});
