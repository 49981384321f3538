// For servers that accept definitions and contexts from others: their problems, programs for clients, a step limit.

export { findPrerequisiteCycle, findSegmentCycle } from "../compiler/cycle.ts";
export { validateExperiment, validateFlag, validateSegment } from "../compiler/definition-problems.ts";
export { createProgramMaker, type ProgramMaker } from "../compiler/lowered-definitions.ts";
export type { Problem } from "../compiler/problem.ts";
export { listSegmentReferences, type SegmentReference } from "../compiler/segment-reference.ts";
export type { StepLimit } from "../runtime/links.ts";
export { createStepLimit } from "../runtime/step-limit.ts";
