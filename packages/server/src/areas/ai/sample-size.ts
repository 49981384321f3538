import { MAX_PLANNED_USERS, type SampleSize } from "@assay/contract";
import { invalid } from "../../ground/errors.ts";
import { toSampleSize } from "../../model/sample-size.ts";
import { SampleSizeError, type SampleSizeQuestion } from "../../model/sample-size-question.ts";

/**
 * Computes the sample size of a request.
 *
 * @param at location of the fields, for errors: `query` or `body`
 * @throws ApiError 422 without a baseline, if the effect leads to no possible rate, or for fields that do not belong
 * together
 */
export function requireSampleSize(question: SampleSizeQuestion, at: "query" | "body"): SampleSize {
  try {
    return toSampleSize(question);
  } catch (error) {
    if (error instanceof SampleSizeError) throw invalid([at, error.field], error.message);
    throw error;
  }
}

/** Returns the `planned_sample_size` of an experiment with this many users in total. */
export function plannedUsers(total: number): number {
  return Math.min(total, MAX_PLANNED_USERS);
}
