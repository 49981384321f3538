export { assign } from "./assignment/assign.ts";
export type { Assignment, AssignmentReason } from "./assignment/assignment.ts";
export { createClientEngine } from "./assignment/client-engine.ts";
export { type CompiledExperiment, compileExperiment } from "./assignment/experiment.ts";
export {
  createExperimentEngine,
  createHeldExperiments,
  type ExperimentAnswers,
  type ExperimentEngine,
  type HeldExperiments,
} from "./assignment/experiment-engine.ts";
export { bucket, bucketInteger, createBucketer, fingerprint } from "./bucketing/bucket.ts";
export { createPicker, type Picker } from "./bucketing/interval.ts";
export { normalizeWeights } from "./bucketing/weight.ts";
export * from "./evaluation/definition.ts";
export { createEngine, type Engine } from "./evaluation/engine.ts";
export type { Environment } from "./evaluation/environment.ts";
export { type EvaluateOptions, evaluate } from "./evaluation/evaluate.ts";
export { type CompiledFlag, compileFlag } from "./evaluation/flag.ts";
export {
  createFlagEngine,
  createHeldFlags,
  type FlagAnswers,
  type FlagEngine,
  type HeldFlags,
} from "./evaluation/flag-engine.ts";
export {
  type DefinitionsChange,
  type EngineOptions,
  type HeldDefinitions,
  type LiveDefinitions,
  SchemaVersionError,
} from "./evaluation/live-definitions.ts";
export type * from "./evaluation/result.ts";
export { findPrerequisiteCycle, findSegmentCycle } from "./targeting/cycle.ts";
export { DefinitionError } from "./targeting/definition-error.ts";
export { compilePattern } from "./targeting/pattern.ts";
export { PatternError } from "./targeting/pattern-syntax.ts";
export type { SegmentLookup } from "./targeting/scope.ts";
export { type CompiledSegment, compileSegment, isMember } from "./targeting/segment.ts";
export { validateCondition } from "./validation/condition.ts";
export { validateExperiment, validateFlag, validateSegment } from "./validation/definition.ts";
export { LIMITS, type Problem } from "./validation/problem.ts";
export { validateTargetingRules } from "./validation/targeting.ts";
