import type { AreaInput } from "../../area.ts";
import { createAuditLogService } from "./service.ts";

export { routes } from "./routes.ts";

export const collections = () => ({});

export function create({ audit, actorNames }: AreaInput) {
  return { services: { auditLogs: createAuditLogService({ ...audit, actorNames }) } };
}
