export { bucket, createBucketer, fingerprint } from "./bucketing/bucket.ts";
export { createPicker, type Picker } from "./bucketing/interval.ts";
export { normalizeWeights } from "./bucketing/weight.ts";
export { toProgram } from "./compiler/lowered-definitions.ts";
export { OPERATORS } from "./compiler/operator.ts";
export { LIMITS } from "./compiler/problem.ts";
export {
  type CompiledExperiment,
  type CompiledFlag,
  type CompiledSegment,
  compileExperiment,
  compileFlag,
  compileSegment,
  type Environment,
  isMember,
} from "./engine/compilation.ts";
export {
  createEngine,
  createUnexplainedEngine,
  type Engine,
  type ReadonlyEngine,
  type UnexplainedEngine,
} from "./engine/engine.ts";
export type { ExperimentAnswers } from "./engine/experiment-answers.ts";
export type { ExplainOptions, FlagAnswer, FlagAnswers } from "./engine/flag-answers.ts";
export { createFlagProgramEngine, type FlagProgramEngine } from "./engine/flag-program-engine.ts";
export type { DefinitionsChange, ObservableDefinitions } from "./engine/observable-definitions.ts";
export {
  createExperimentProgramEngine,
  createProgramEngine,
  type ExperimentProgramEngine,
  type ProgramEngine,
} from "./engine/program-engine.ts";
export type { EngineOptions, ReplaceableDefinitions } from "./engine/replaceable-definitions.ts";
export type { Assignment, AssignmentReason } from "./format/assignment.ts";
export * from "./format/definition.ts";
export { DefinitionError, SchemaVersionError } from "./format/definition-error.ts";
export type { Outline } from "./format/outline.ts";
export * from "./format/program.ts";
export { NO_PROGRAM, parseProgram } from "./format/program-body.ts";
export type * from "./format/result.ts";
export { diffRevisions, type Revised } from "./format/revision.ts";
export { assign } from "./runtime/assign.ts";
export { type EvaluateOptions, evaluate } from "./runtime/evaluate.ts";
export type { LinkedExperiment } from "./runtime/experiment.ts";
export type { LinkedFlag } from "./runtime/flag.ts";
export type { LinkedSegment } from "./runtime/segment.ts";
export { readAttribute } from "./values/attribute.ts";
export { toInstant } from "./values/instant.ts";
