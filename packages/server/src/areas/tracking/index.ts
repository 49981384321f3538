import type { AreaInput } from "../../area.ts";
import { createTrackingService } from "./service.ts";

export { routes } from "./routes.ts";

export const collections = () => ({});

export function create({ store, runtime, collections, records, engine, analysis, flagUsage, trail }: AreaInput) {
  const { experiments, flags } = records;
  const deps = { store, runtime, collections, experiments, flags, engine, analysis, flagUsage, trail };
  const tracking = createTrackingService(deps);
  return { services: { tracking }, close: tracking.close };
}
