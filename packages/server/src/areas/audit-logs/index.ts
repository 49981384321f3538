import type { AreaInput } from "../../area.ts";
import { createAuditLogService } from "./service.ts";

export { routes } from "./routes.ts";

export const collections = () => ({});

export function create({ audit }: AreaInput) {
  return { services: { auditLogs: createAuditLogService(audit) } };
}
