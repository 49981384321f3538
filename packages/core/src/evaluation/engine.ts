import { compileExperimentFor } from "../assignment/experiment.ts";
import { answerExperiments, type ExperimentAnswers } from "../assignment/experiment-engine.ts";
import type { Definitions } from "./definition.ts";
import { compileFlagFor } from "./flag.ts";
import { answerFlags, type FlagEngine } from "./flag-engine.ts";
import { createLiveDefinitions, type EngineOptions } from "./live-definitions.ts";

/** Answers for every flag and experiment of one set of definitions, which can be replaced while it runs. */
export interface Engine extends FlagEngine, ExperimentAnswers {}

/**
 * Creates an engine over definitions; see {@link Engine}.
 *
 * @example
 * const engine = createEngine(definitions);
 * engine.evaluate("new-checkout", { targetingKey: "user-123", country: "DE" }, false).value;
 *
 * @throws SchemaVersionError where the definitions are of a later format.
 */
export function createEngine(definitions: Definitions, options: EngineOptions = {}): Engine {
  const compilers = { flag: compileFlagFor, experiment: compileExperimentFor };
  return createLiveDefinitions(definitions, options, compilers, (holder) => ({
    ...answerFlags(holder),
    ...answerExperiments(holder),
  }));
}
