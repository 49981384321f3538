import type { AreaInput } from "../../area.ts";
import { createEnvironmentService } from "./service.ts";

export { routes } from "./routes.ts";

export const collections = () => ({});

export function create({ environment }: AreaInput) {
  return { services: { environments: createEnvironmentService(environment) } };
}
