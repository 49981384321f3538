import type { AreaInput } from "../../area.ts";
import type { ExperimentService } from "../experiments/service.ts";
import type { InteractionService } from "../interactions/service.ts";
import type { ResultsService } from "../results/service.ts";
import type { WinnersCurseService } from "../results/winners-curse.ts";
import { createAiService } from "./service.ts";

export { routes } from "./routes.ts";

export const collections = () => ({});

type Needed = {
  experiments: ExperimentService;
  results: ResultsService;
  interactions: InteractionService;
  winnersCurse: WinnersCurseService;
};

export function create({ options, runtime, services }: AreaInput<Needed>) {
  const { experiments, results, interactions, winnersCurse } = services;
  const { logger } = runtime;
  const check = experiments.preview;
  return {
    services: {
      ai: createAiService({ results, interactions, winnersCurse, check, model: options.languageModel, logger }),
    },
  };
}
