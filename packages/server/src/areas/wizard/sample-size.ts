import { MOST_PLANNED_USERS, SampleSizeInput, SampleSizeQuery, type WizardDraft } from "@assay/contract";
import { SampleSizeError, toSampleSize } from "../../model/sample-size.ts";
import type { StepError } from "./step.ts";

const MOST_ARMS = 50;

/** Works a draft's sample size out, at the draft's own level. Null where there is nothing to work it out from. */
export function planSampleSize(
  data: WizardDraft["data"],
  arms: number,
): { plan: WizardDraft["sample_size"]; errors: StepError[] } {
  const input = SampleSizeInput.safeParse(data.sample_size);
  const alpha = SampleSizeQuery.shape.alpha.safeParse(data.alpha ?? undefined);
  // What is wrong with the fields themselves is said at their own steps.
  if (!input.success || !alpha.success) return { plan: null, errors: [] };
  // Until the variants are chosen, a test has two.
  const variants = Math.min(Math.max(2, arms), MOST_ARMS);
  try {
    const plan = toSampleSize({ ...input.data, alpha: alpha.data, variants });
    if (plan.total > MOST_PLANNED_USERS) {
      throw new SampleSizeError("mde", `That effect needs more than ${MOST_PLANNED_USERS} users`);
    }
    return { plan, errors: [] };
  } catch (error) {
    if (!(error instanceof SampleSizeError)) throw error;
    const loc = ["sample_size", error.field];
    return { plan: null, errors: [{ step: "SAMPLE_SIZE", loc, msg: error.message, type: "value_error" }] };
  }
}
