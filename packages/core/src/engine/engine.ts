import type { Definitions } from "../format/definition.ts";
import { EXPLAINING } from "./compilation.ts";
import { createDefinitionCompiler } from "./compiled-definitions.ts";
import { answerExperiments, type ExperimentAnswers } from "./experiment-answers.ts";
import { compileFewChanges } from "./few-changes.ts";
import { answerFlag, answerFlags, type FlagAnswer, type FlagAnswers } from "./flag-answers.ts";
import { createObservableDefinitions, type ObservableDefinitions } from "./observable-definitions.ts";
import type { EngineOptions } from "./replaceable-definitions.ts";

/** Evaluates all flags and experiments of a set of definitions, which can be replaced at any time. */
export interface Engine extends ObservableDefinitions, FlagAnswers, ExperimentAnswers {}

/** An engine without `update`: its owner, such as a server, replaces the definitions. */
export interface ReadonlyEngine extends Omit<Engine, "update"> {}

/**
 * Creates an engine over definitions; see {@link Engine}.
 *
 * @example
 * const engine = createEngine(definitions);
 * engine.evaluate("new-checkout", { targetingKey: "user-123", country: "DE" }, false).value;
 *
 * @throws SchemaVersionError if the definitions have a later format
 */
export function createEngine(definitions: Definitions, options: EngineOptions = {}): Engine {
  const compile = compileFewChanges(createDefinitionCompiler(EXPLAINING), EXPLAINING);
  return createObservableDefinitions(definitions, options, compile, (current) => ({
    ...answerFlags(current),
    ...answerExperiments(current),
  }));
}

/** An {@link Engine} that answers one flag at a time and explains nothing. */
export interface UnexplainedEngine extends ObservableDefinitions, FlagAnswer, ExperimentAnswers {}

/**
 * {@link createEngine} without explanations, for providers: bundles do not contain the code of traces.
 *
 * @throws SchemaVersionError if the definitions have a later format
 */
export function createUnexplainedEngine(definitions: Definitions, options: EngineOptions = {}): UnexplainedEngine {
  return createObservableDefinitions(definitions, options, createDefinitionCompiler(), (current) => ({
    ...answerFlag((key) => current.linked.flags.get(key)),
    ...answerExperiments(current),
  }));
}
