import type { DesignRequest, ExperimentCreate, ExperimentDesign, Interpretation } from "@assay/contract";
import type { Logger } from "../../ground/runtime.ts";
import type { Caller } from "../../model/caller.ts";
import type { InteractionService } from "../interactions/service.ts";
import type { ResultsService } from "../results/service.ts";
import type { Marked, WinnersCurseService } from "../results/winners-curse.ts";
import { design } from "./designer.ts";
import { interpret } from "./interpretation.ts";
import type { LanguageModel } from "./language-model.ts";
import { designWithModel } from "./model-designer.ts";

/** Designs experiments and interprets their results. */
export interface AiService {
  /** @throws ApiError 422 if the effect leads to no possible rate */
  design(request: DesignRequest, caller: Caller): Promise<ExperimentDesign>;
  /** By id or key. @throws ApiError 404 */
  interpret(idOrKey: string, caller: Caller): Promise<Interpretation>;
}

/**
 * @param deps.model improves the built-in design if set; interpretations never use it
 * @param deps.check rejects what `POST /experiments/` would reject
 */
export function createAiService(deps: {
  results: Pick<ResultsService, "evidence">;
  interactions: Pick<InteractionService, "noveltyOf">;
  winnersCurse: Pick<WinnersCurseService, "of">;
  check: (body: ExperimentCreate, caller: Caller) => void;
  model: LanguageModel | undefined;
  logger: Logger;
}): AiService {
  const { results, interactions, winnersCurse, check, model, logger } = deps;
  return {
    async design(request, caller) {
      const builtIn = design(request);
      if (!model) return builtIn;
      return designWithModel(request, builtIn, { model, logger, check: (body) => check(body, caller) });
    },
    async interpret(idOrKey, caller) {
      const evidence = await results.evidence(idOrKey, caller);
      const answer = interpret(evidence, await interactions.noveltyOf(evidence.record.id, caller));
      if (answer.variant === null) return answer;
      const marked = await winnersCurse.of(evidence.record, evidence.results, answer.variant, caller);
      return marked.length > 0 ? withWinnersCurse(answer, marked) : answer;
    },
  };
}

/** Adds the effect that the team can expect from the treatment to ship. */
function withWinnersCurse(answer: Interpretation, marked: readonly Marked[]): Interpretation {
  return {
    ...answer,
    reasons: [...answer.reasons, ...marked.map(({ row, curse }) => `${row.name}, ${row.variant}: ${curse.summary}`)],
    winners_curse: marked.map(({ row, curse }) => ({ ...curse, metric_id: row.metric_id, metric: row.name })),
  };
}
