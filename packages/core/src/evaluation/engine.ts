import { answerExperiments, type ExperimentAnswers } from "../assignment/experiment-engine.ts";
import type { Outline } from "../program/outline.ts";
import { compileExperimentFor, compileFlagFor } from "./compilation.ts";
import type { Definitions } from "./definition.ts";
import { answerFlags, type FlagAnswers } from "./flag-engine.ts";
import { createLiveDefinitions, type EngineOptions, type LiveDefinitions } from "./live-definitions.ts";
import { createCompiler, diffCompiled } from "./snapshot.ts";

/** Answers for every flag and experiment of one set of definitions, which can be replaced while it runs. */
export interface Engine<D extends Outline = Definitions> extends LiveDefinitions<D>, FlagAnswers, ExperimentAnswers {}

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
  const compiler = createCompiler({ flag: compileFlagFor, experiment: compileExperimentFor });
  return createLiveDefinitions(definitions, options, compiler, diffCompiled, (holder) => ({
    ...answerFlags(holder),
    ...answerExperiments(holder),
  }));
}
