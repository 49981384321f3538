import { MAX_PLANNED_USERS, type SampleSize } from "@assay/contract";
import { invalid } from "../../ground/errors.ts";
import { runInSlices } from "../../ground/slices.ts";
import { toSampleSize } from "../../model/sample-size.ts";
import { withLooks } from "../../model/sample-size-looks.ts";
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
    throw refused(error, at);
  }
}

/** Computes the sample size of a request with its looks. @throws ApiError as `requireSampleSize` */
export async function requireSizeOfLooks(question: SampleSizeQuestion): Promise<SampleSize> {
  const size = requireSampleSize(question, "query");
  try {
    return await runInSlices(withLooks(size, question));
  } catch (error) {
    throw refused(error, "query");
  }
}

function refused(error: unknown, at: "query" | "body"): unknown {
  return error instanceof SampleSizeError ? invalid([at, error.field], error.message) : error;
}

/** Returns the `planned_sample_size` of an experiment with this many users in total. */
export function plannedUsers(total: number): number {
  return Math.min(total, MAX_PLANNED_USERS);
}
