import type { AreaInput } from "../../area.ts";
import type { ExperimentService } from "../experiments/service.ts";
import type { InteractionService } from "../interactions/service.ts";
import type { ResultsService } from "../results/service.ts";
import { createAiService } from "./service.ts";

export { routes } from "./routes.ts";

export const collections = () => ({});

type Needed = { experiments: ExperimentService; results: ResultsService; interactions: InteractionService };

export function create({ options, runtime, services }: AreaInput<Needed>) {
  const { experiments, results, interactions } = services;
  const { logger } = runtime;
  const check = experiments.preview;
  return {
    services: { ai: createAiService({ results, interactions, check, model: options.languageModel, logger }) },
  };
}
