import {
  type DesignRequest,
  type ExperimentCreate,
  type ExperimentDesign,
  type Interpretation,
  type Overview,
  type PrimaryEffect,
  SequentialQuery,
  type SequentialResults,
} from "@assay/contract";
import type { Logger } from "../../ground/runtime.ts";
import { runInSlices } from "../../ground/slices.ts";
import type { Caller } from "../../model/caller.ts";
import { planOf } from "../../model/experiment-plan.ts";
import type { InteractionService } from "../interactions/service.ts";
import type { ResultsService } from "../results/service.ts";
import type { Marked, WinnersCurseService } from "../results/winners-curse.ts";
import { design } from "./designer.ts";
import { interpret, type Reading, toReading } from "./interpretation.ts";
import type { LanguageModel } from "./language-model.ts";
import { designWithModel } from "./model-designer.ts";
import { toOverview } from "./overview.ts";
import { createPrimaryEffects } from "./primary-effect.ts";

/** Designs experiments and interprets their results. */
export interface AiService {
  /** @throws ApiError 422 if the effect leads to no possible rate */
  design(request: DesignRequest, caller: Caller): Promise<ExperimentDesign>;
  /** By id or key. @throws ApiError 404 */
  interpret(idOrKey: string, caller: Caller): Promise<Interpretation>;
  /** By id or key. @throws ApiError 404 */
  overview(idOrKey: string, caller: Caller): Promise<Overview>;
  /** The effect that decides, from the last overview of this experiment; null if this node has computed none. */
  primaryEffect(experimentId: string): PrimaryEffect | null;
}

/**
 * @param deps.model improves the built-in design if set; interpretations never use it
 * @param deps.check rejects what `POST /experiments/` would reject
 */
export function createAiService(deps: {
  results: Pick<ResultsService, "evidence" | "sequential">;
  interactions: Pick<InteractionService, "noveltyOf">;
  winnersCurse: Pick<WinnersCurseService, "of">;
  check: (body: ExperimentCreate, caller: Caller) => void;
  model: LanguageModel | undefined;
  logger: Logger;
}): AiService {
  const { results, interactions, winnersCurse, check, model, logger } = deps;
  const effects = createPrimaryEffects();

  async function read(idOrKey: string, caller: Caller): Promise<{ reading: Reading; answer: Interpretation }> {
    const evidence = await results.evidence(idOrKey, caller);
    const reading = toReading(evidence, await interactions.noveltyOf(evidence.record.id, caller));
    const answer = interpret(reading);
    if (answer.variant === null) return { reading, answer };
    const marked = await winnersCurse.of(evidence.record, evidence.results, answer.variant, caller);
    return { reading, answer: marked.length > 0 ? withWinnersCurse(answer, marked) : answer };
  }

  /** The test at the planned looks, once there was one. */
  async function plannedTest({ planned, record, alpha }: Reading, caller: Caller): Promise<SequentialResults | null> {
    if (planned === null) return null;
    const plan = planOf(record)!;
    const { looks: num_looks, spending_function, users: planned_users } = plan;
    const query = { method: "group_sequential", alpha: alpha.planned, num_looks, spending_function, planned_users };
    return results.sequential(record.id, SequentialQuery.parse(query), caller);
  }

  return {
    async design(request, caller) {
      const builtIn = design(request);
      if (!model) return builtIn;
      return designWithModel(request, builtIn, { model, logger, check: (body) => check(body, caller) });
    },
    interpret: async (idOrKey, caller) => (await read(idOrKey, caller)).answer,
    async overview(idOrKey, caller) {
      const { reading, answer } = await read(idOrKey, caller);
      const overview = await runInSlices(toOverview(reading, answer, await plannedTest(reading, caller)));
      effects.note(reading.record.id, overview);
      return overview;
    },
    primaryEffect: effects.of,
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
