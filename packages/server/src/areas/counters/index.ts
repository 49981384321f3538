import type { AreaInput } from "../../area.ts";
import { createCounterService } from "./service.ts";

export { routes } from "./routes.ts";

export const collections = () => ({});

export function create({ store, runtime, records, analysis }: AreaInput) {
  return {
    services: { counters: createCounterService({ store, runtime, experiments: records.experiments, analysis }) },
  };
}
