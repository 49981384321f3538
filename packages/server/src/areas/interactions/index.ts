import type { AreaInput } from "../../area.ts";
import type { Compare } from "./novelty.ts";
import { createInteractionService } from "./service.ts";

export { routes } from "./routes.ts";

export const collections = () => ({});

type Needed = { comparisons: { comparePair: Compare } };

export function create({ runtime, records, analysis, services }: AreaInput<Needed>) {
  const { experiments } = records;
  const compare = services.comparisons.comparePair;
  return { services: { interactions: createInteractionService({ runtime, experiments, analysis, compare }) } };
}
