import { MOST_PLANNED_USERS, type SampleSize } from "@assay/contract";
import { invalid } from "../../errors.ts";
import { SampleSizeError, type SampleSizeQuestion, toSampleSize } from "../../model/sample-size.ts";

/**
 * The sample size of a request.
 *
 * @param at where the request's fields came from, for errors: `query` or `body`
 * @throws ApiError 422 where there is no baseline, or the effect leads nowhere
 */
export function requireSampleSize(question: SampleSizeQuestion, at: "query" | "body"): SampleSize {
  try {
    return toSampleSize(question);
  } catch (error) {
    if (error instanceof SampleSizeError) throw invalid([at, error.field], error.message);
    throw error;
  }
}

/** What an experiment's `planned_sample_size` is with it. */
export function plannedUsers({ total }: SampleSize): number {
  return Math.min(total, MOST_PLANNED_USERS);
}
