import { drawn } from "../evaluation/draw.ts";
import type { EvaluationContext, TraceStep } from "../evaluation/result.ts";
import { type Assignment, toAssignment } from "./assignment.ts";
import type { CompiledExperiment } from "./experiment.ts";

/**
 * Assigns a user to an arm of an experiment. Never throws. Order: status, holdout, mutual exclusion, targeting,
 * overrides, variant; a stored assignment comes before all of these and is the caller's to look up.
 *
 * @param attributes what targeting reads; `targetingKey` in it is ignored
 */
export function assign(
  experiment: CompiledExperiment,
  userId: string,
  attributes?: Record<string, unknown>,
  options: { now?: number; trace?: TraceStep[] } = {},
): Assignment {
  const context: EvaluationContext = { ...attributes, targetingKey: userId };
  drawn[0] = -1;
  let assignment: Assignment;
  try {
    assignment = experiment.run(context, options.now, options.trace ?? null);
  } catch {
    return toAssignment(experiment.control, "ERROR");
  }
  const bucket = drawn[0]!;
  return bucket < 0 ? assignment : { ...assignment, bucket };
}
