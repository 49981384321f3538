import type { Program } from "../format/program.ts";
import { linkExperiment } from "../runtime/experiment.ts";
import { linkFlag } from "../runtime/flag.ts";
import { createProgramLinker } from "../runtime/linked-definitions.ts";
import { answerExperiments, type ExperimentAnswers } from "./experiment-answers.ts";
import { answerFlag, type FlagAnswer } from "./flag-answers.ts";
import {
  createReplaceableDefinitions,
  type EngineOptions,
  type ReplaceableDefinitions,
} from "./replaceable-definitions.ts";

/** Evaluates all flags of a program, which can be replaced at any time. */
export interface FlagProgramEngine extends ReplaceableDefinitions<Program>, FlagAnswer {}

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
  const linker = createProgramLinker({ flag: linkFlag, experiment: linkExperiment });
  return createReplaceableDefinitions(program, options, linker, (current) => ({
    ...answerFlag(current),
    ...answerExperiments(current),
  }));
}

/** {@link createProgramEngine} without experiments. */
export function createFlagProgramEngine(program: Program, options: EngineOptions = {}): FlagProgramEngine {
  return createReplaceableDefinitions(program, options, createProgramLinker({ flag: linkFlag }), answerFlag);
}

/**
 * {@link createProgramEngine} without experiment assignments: an experiment over a flag has the flag's arms, and
 * assigns no users here.
 */
export function createExperimentProgramEngine(program: Program, options: EngineOptions = {}): ExperimentProgramEngine {
  return createReplaceableDefinitions(
    program,
    options,
    createProgramLinker({ experiment: linkExperiment }),
    answerExperiments,
  );
}
