import type { AreaInput } from "../../area.ts";
import { comparePair } from "./comparison.ts";
import { toRows } from "./rows.ts";
import { createResultsService } from "./service.ts";

export { routes } from "./routes.ts";

export const collections = () => ({});

export function create({ runtime, records, analysis }: AreaInput) {
  const { experiments, flags, syncs } = records;
  const results = createResultsService({
    runtime,
    experiments,
    analysis,
    flagOf: ({ feature_flag_key: key }) => (key === null ? undefined : flags.findBy("key", key)),
    synced: (id) => syncs.get(id),
  });
  return { services: { results, comparisons: { comparePair, toRows } } };
}
