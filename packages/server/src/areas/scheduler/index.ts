import type { AreaInput } from "../../area.ts";
import { createSchedulerService } from "./service.ts";

export { routes } from "./routes.ts";

export const collections = () => ({});

export function create({ scheduler, runtime, trail }: AreaInput) {
  return { services: { scheduler: createSchedulerService({ scheduler, runtime, trail }) } };
}
