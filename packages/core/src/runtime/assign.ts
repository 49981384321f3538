import { type Assignment, toAssignment } from "../format/assignment.ts";
import type { EvaluationContext } from "../format/result.ts";
import { evaluationState } from "./evaluation-state.ts";
import type { LinkedExperiment } from "./experiment.ts";

/**
 * Assigns a user to an arm of an experiment. Never throws. Order: status, holdout, mutual exclusion, targeting,
 * overrides, variant. A stored assignment comes before all of these; the caller looks it up.
 *
 * @param attributes what targeting reads; `targetingKey` in it is ignored
 * @param now milliseconds since the epoch, instead of the clock of the experiment's links
 */
export function assign(
  experiment: LinkedExperiment,
  userId: string,
  attributes?: Record<string, unknown>,
  now?: number,
): Assignment {
  evaluationState[0] = -1;
  evaluationState[1] = 0;
  try {
    // A getter of an attribute may throw here. A spread takes ten times as long for attributes that were parsed from JSON.
    const context: EvaluationContext = Object.assign({}, attributes, { targetingKey: userId });
    const assignment = experiment.run(context, now);
    const bucket = evaluationState[0]!;
    return bucket < 0 ? assignment : { ...assignment, bucket };
  } catch {
    return toAssignment(experiment.program.control, "ERROR");
  }
}
