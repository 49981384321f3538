import type { EvaluationContext, TraceStep } from "../evaluation/result.ts";
import { drawn } from "../program/drawn.ts";
import type { LinkedExperiment } from "../program/experiment.ts";
import { type Assignment, toAssignment } from "./assignment.ts";

/**
 * Assigns a user to an arm of an experiment. Never throws. Order: status, holdout, mutual exclusion, targeting,
 * overrides, variant; a stored assignment comes before all of these and is the caller's to look up.
 *
 * @param attributes what targeting reads; `targetingKey` in it is ignored
 * @param options.now milliseconds since the epoch, instead of the clock of the experiment's links
 * @param options.trace takes the steps that led there, where the experiment was compiled from its definition
 */
export function assign(
  experiment: LinkedExperiment,
  userId: string,
  attributes?: Record<string, unknown>,
  { now, trace }: { now?: number; trace?: TraceStep[] } = {},
): Assignment {
  drawn[0] = -1;
  let assignment: Assignment;
  try {
    // An attribute whose getter throws does so here.
    const context: EvaluationContext = { ...attributes, targetingKey: userId };
    const run = (trace && experiment.explain?.(trace)) ?? experiment.run;
    assignment = run(context, now);
  } catch {
    return toAssignment(experiment.program.control, "ERROR");
  }
  const bucket = drawn[0]!;
  return bucket < 0 ? assignment : { ...assignment, bucket };
}
