import type { Assignment } from "../format/assignment.ts";
import { assign } from "../runtime/assign.ts";
import type { CurrentDefinitions } from "./replaceable-definitions.ts";

/** Assigns users to arms of experiments. */
export interface ExperimentAnswers {
  /** Assigns a user to an arm; null if the experiment does not exist. */
  assign(experimentKey: string, userId: string, attributes?: Record<string, unknown>): Assignment | null;
}

/** Creates the assignment functions over the current definitions. */
export function answerExperiments(current: CurrentDefinitions): ExperimentAnswers {
  return {
    assign(experimentKey, userId, attributes) {
      const experiment = current.linked.experiments.get(experimentKey);
      return experiment === undefined ? null : assign(experiment, userId, attributes);
    },
  };
}
