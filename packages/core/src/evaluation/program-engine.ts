import { answerExperiments, type ExperimentAnswers } from "../assignment/experiment-answers.ts";
import { linkExperiment } from "../program/experiment.ts";
import { linkFlag } from "../program/flag.ts";
import type { Program } from "../program/program.ts";
import { createProgramLinker, diffRevisions, type Snapshot } from "../program/snapshot.ts";
import { answerFlag, type FlagAnswer } from "./flag-answers.ts";
import {
  createHeldDefinitions,
  createLiveDefinitions,
  type DefinitionsChange,
  type EngineOptions,
  type HeldDefinitions,
  type LiveDefinitions,
} from "./live-definitions.ts";

/** Answers for every flag and experiment of one program, which can be replaced while it runs. */
export interface ProgramEngine extends LiveDefinitions<Program>, FlagAnswer, ExperimentAnswers {}

/**
 * Creates an engine over a program: it answers as `createEngine` does for the definitions that the program was made of,
 * in half the size in a bundle. It explains nothing.
 *
 * @example createProgramEngine(toProgram(definitions)).evaluate("new-checkout", { targetingKey: "user-123" }, false).value
 */
export function createProgramEngine(program: Program, options: EngineOptions = {}): ProgramEngine {
  const linker = createProgramLinker({ flag: linkFlag, experiment: linkExperiment });
  return createLiveDefinitions(program, options, linker, diff, (holder) => ({
    ...answerFlag(holder),
    ...answerExperiments(holder),
  }));
}

function diff(before: Snapshot<Program>, after: Snapshot<Program>): DefinitionsChange {
  return {
    flags: diffRevisions(before.flags, after.flags),
    experiments: diffRevisions(before.experiments, after.experiments),
  };
}

/** Answers for every flag of one program, which can be replaced, but tells nobody of it. */
export interface HeldFlags extends HeldDefinitions<Program>, FlagAnswer {}

/** {@link createProgramEngine} for where nobody listens to changes, nor asks for experiments. */
export function createHeldFlags(program: Program, options: EngineOptions = {}): HeldFlags {
  return createHeldDefinitions(program, options, createProgramLinker({ flag: linkFlag }), answerFlag);
}

/** Answers for every experiment of one program, which can be replaced, but tells nobody of it. */
export interface HeldExperiments extends HeldDefinitions<Program>, ExperimentAnswers {}

/**
 * {@link createProgramEngine} for where nobody listens to changes, nor asks for flags: an experiment over a flag has the
 * flag's arms, and assigns nobody here.
 */
export function createHeldExperiments(program: Program, options: EngineOptions = {}): HeldExperiments {
  return createHeldDefinitions(
    program,
    options,
    createProgramLinker({ experiment: linkExperiment }),
    answerExperiments,
  );
}
