import { answerExperiments } from "../assignment/experiment-answers.ts";
import { answerFlag } from "../evaluation/flag-answers.ts";
import { createHeldDefinitions, type EngineOptions } from "../evaluation/live-definitions.ts";
import type { HeldExperiments, HeldFlags } from "../evaluation/program-engine.ts";
import { linkExperiment } from "../program/experiment.ts";
import { linkFlag } from "../program/flag.ts";
import type { Program } from "../program/program.ts";
import { createProgramLinker } from "../program/snapshot.ts";

/** `createProgramEngine` for where whoever replaces the program tells of it. */
export function createHeldProgram(program: Program, options: EngineOptions): HeldFlags & HeldExperiments {
  const linker = createProgramLinker({ flag: linkFlag, experiment: linkExperiment });
  return createHeldDefinitions(program, options, linker, (holder) => ({
    ...answerFlag(holder),
    ...answerExperiments(holder),
  }));
}
