import type { AreaInput } from "../../area.ts";
import { createComplianceService } from "./service.ts";

export { routes } from "./routes.ts";

export const collections = () => ({});

/** Starts to seal the audit trail. */
export async function create({ store, runtime, audit, trail }: AreaInput) {
  const { sealer, key } = await audit.start();
  return { services: { compliance: createComplianceService({ store, runtime, log: audit.log, sealer, key, trail }) } };
}
