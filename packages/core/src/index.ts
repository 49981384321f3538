export { assign } from "./assignment/assign.ts";
export type { Assignment, AssignmentReason } from "./assignment/assignment.ts";
export type { ExperimentAnswers } from "./assignment/experiment-answers.ts";
export { bucket, bucketInteger, createBucketer, fingerprint } from "./bucketing/bucket.ts";
export { createPicker, type Picker } from "./bucketing/interval.ts";
export { normalizeWeights } from "./bucketing/weight.ts";
export {
  type CompiledExperiment,
  type CompiledFlag,
  type CompiledSegment,
  compileExperiment,
  compileFlag,
  compileSegment,
  type Environment,
  isMember,
} from "./evaluation/compilation.ts";
export * from "./evaluation/definition.ts";
export { createEngine, type Engine } from "./evaluation/engine.ts";
export { type EvaluateOptions, evaluate } from "./evaluation/evaluate.ts";
export type { ExplainOptions, FlagAnswer, FlagAnswers } from "./evaluation/flag-answers.ts";
export type { EngineOptions, HeldDefinitions } from "./evaluation/held-definitions.ts";
export type { DefinitionsChange, LiveDefinitions } from "./evaluation/live-definitions.ts";
export { toProgram } from "./evaluation/program.ts";
export {
  createExperimentProgramEngine,
  createFlagProgramEngine,
  createProgramEngine,
  type ExperimentProgramEngine,
  type FlagProgramEngine,
  type ProgramEngine,
} from "./evaluation/program-engine.ts";
export type * from "./evaluation/result.ts";
export { SchemaVersionError } from "./evaluation/source.ts";
export type { LinkedExperiment } from "./program/experiment.ts";
export type { LinkedFlag } from "./program/flag.ts";
export type { Outline } from "./program/outline.ts";
export * from "./program/program.ts";
export { NO_PROGRAM, parseProgram } from "./program/program-body.ts";
export { diffRevisions, type Revised } from "./program/revision.ts";
export type { LinkedSegment } from "./program/segment.ts";
export { findPrerequisiteCycle, findSegmentCycle } from "./targeting/cycle.ts";
export { DefinitionError } from "./targeting/definition-error.ts";
export { compilePattern } from "./targeting/pattern.ts";
export { PatternError } from "./targeting/pattern-syntax.ts";
export { validateCondition } from "./validation/condition.ts";
export { validateExperiment, validateFlag, validateSegment } from "./validation/definition.ts";
export { LIMITS, type Problem } from "./validation/problem.ts";
export { validateTargetingRules } from "./validation/targeting.ts";
