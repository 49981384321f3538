import type { Program } from "../format/program.ts";
import { linkFlag } from "../runtime/flag.ts";
import { createProgramLinker } from "../runtime/linked-definitions.ts";
import { answerExperiments, type ExperimentAnswers } from "./experiment-answers.ts";
import { answerFlag } from "./flag-answers.ts";
import type { FlagProgramEngine } from "./flag-program-engine.ts";
import {
  createReplaceableDefinitions,
  type EngineOptions,
  type ReplaceableDefinitions,
} from "./replaceable-definitions.ts";

/** Assigns users to arms of all experiments of a program, which can be replaced at any time. */
export interface ExperimentProgramEngine extends ReplaceableDefinitions<Program>, ExperimentAnswers {}

/** Evaluates all flags and experiments of a program, which can be replaced at any time. */
export interface ProgramEngine extends FlagProgramEngine, ExperimentProgramEngine {}

/**
 * Creates an engine over a program. It answers as `createEngine` does for the definitions that the program was made
 * from, at half the bundle size. It has no explanations and no change listeners: to detect changes, compare the
 * revisions in the old and new program.
 *
 * @example createProgramEngine(toProgram(definitions)).evaluate("new-checkout", { targetingKey: "user-123" }, false).value
 */
export function createProgramEngine(program: Program, options: EngineOptions = {}): ProgramEngine {
  return createReplaceableDefinitions(program, options, createProgramLinker(linkFlag), (current) => ({
    ...answerFlag((key) => current.linked.flags.get(key)),
    ...answerExperiments(current),
  }));
}

/**
 * {@link createProgramEngine} without experiment assignments: an experiment over a flag has the flag's arms, and
 * assigns no users here.
 */
export function createExperimentProgramEngine(program: Program, options: EngineOptions = {}): ExperimentProgramEngine {
  return createReplaceableDefinitions(program, options, createProgramLinker(), answerExperiments);
}
