import { compileExperiment } from "../assignment/experiment.ts";
import { compileTargeting } from "../targeting/block.ts";
import { compileCondition } from "../targeting/condition.ts";
import type { Problem } from "../targeting/problem.ts";
import { createScope } from "../targeting/scope.ts";
import { compileSegment } from "../targeting/segment.ts";
import type { ExperimentDefinition, FlagDefinition, SegmentDefinition } from "./definition.ts";
import { compileFlag } from "./flag.ts";

/** Everything in a flag definition that no evaluator would understand; empty where it is sound. */
export function validateFlag(definition: FlagDefinition): Problem[] {
  return [...compileFlag(definition).problems];
}

/** Everything in an experiment definition that no evaluator would understand; empty where it is sound. */
export function validateExperiment(definition: ExperimentDefinition): Problem[] {
  return [...compileExperiment(definition).problems];
}

/** Everything in a segment definition that no evaluator would understand; empty where it is sound. */
export function validateSegment(definition: SegmentDefinition): Problem[] {
  return [...compileSegment(definition).problems];
}

/** Everything in a condition tree that no evaluator would understand: operators, values, patterns, limits. */
export function validateCondition(condition: unknown): Problem[] {
  const scope = createScope();
  compileCondition(condition, scope);
  return scope.problems;
}

/** Everything in targeting blocks that no evaluator would understand: values, zones, days, hours, limits. */
export function validateTargetingRules(rules: unknown): Problem[] {
  const scope = createScope();
  compileTargeting(rules, scope);
  return scope.problems;
}
