import type { AreaInput } from "../../area.ts";
import type { Compare } from "./novelty.ts";
import { createInteractionService } from "./service.ts";

export { routes } from "./routes.ts";

export const collections = () => ({});

type Needed = { comparisons: { comparePair: Compare } };

export function create({ runtime, records, analysis, services }: AreaInput<Needed>) {
  const { experiments, flags } = records;
  const compare = services.comparisons.comparePair;
  const interactions = createInteractionService({
    runtime,
    experiments,
    analysis,
    compare,
    flagOf: ({ feature_flag_key: key }) => (key === null ? undefined : flags.findBy("key", key)),
  });
  return { services: { interactions } };
}
