import type { AreaInput } from "../../area.ts";
import { createTrackingService } from "./service.ts";
import { createTraces } from "./traces.ts";

export { routes } from "./routes.ts";

export const collections = () => ({});

export function create({ store, runtime, collections, records, engine, analysis, flagUsage, trail }: AreaInput) {
  const { experiments, flags, segments } = records;
  const traces = createTraces({ store, segments, documents: Object.values(records) });
  const deps = { store, runtime, collections, experiments, flags, engine, analysis, flagUsage, trail, traces };
  const tracking = createTrackingService(deps);
  return { services: { tracking }, close: tracking.close };
}
