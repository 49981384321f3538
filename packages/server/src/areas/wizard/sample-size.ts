import { MAX_ARMS, MAX_PLANNED_USERS, SampleSizeInput, SampleSizeQuery, type WizardDraft } from "@assay/contract";
import { toSampleSize } from "../../model/sample-size.ts";
import { SampleSizeError } from "../../model/sample-size-question.ts";
import type { StepError } from "./step.ts";

/**
 * Computes the sample size of a draft at the significance level of the draft. Returns a null `plan` without the
 * required inputs.
 *
 * @param weights weights of the arms, control first; two equal ones until the draft has arms
 */
export function planSampleSize(
  data: WizardDraft["data"],
  weights: number[],
): { plan: WizardDraft["sample_size"]; errors: StepError[] } {
  const input = SampleSizeInput.safeParse(data.sample_size);
  const alpha = SampleSizeQuery.shape.alpha.safeParse(data.alpha ?? undefined);
  // Invalid fields are reported at their own steps.
  if (!input.success || !alpha.success) return { plan: null, errors: [] };
  const used = weights.filter((weight) => weight > 0).slice(0, MAX_ARMS);
  try {
    const plan = toSampleSize({ ...input.data, alpha: alpha.data, weights: used.length < 2 ? [1, 1] : used });
    if (plan.total > MAX_PLANNED_USERS) {
      throw new SampleSizeError("mde", `That effect needs more than ${MAX_PLANNED_USERS} users`);
    }
    return { plan, errors: [] };
  } catch (error) {
    if (!(error instanceof SampleSizeError)) throw error;
    const loc = ["sample_size", error.field];
    return { plan: null, errors: [{ step: "SAMPLE_SIZE", loc, msg: error.message, type: "value_error" }] };
  }
}
