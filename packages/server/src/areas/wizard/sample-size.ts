import { MAX_PLANNED_USERS, SampleSizeInput, SampleSizeQuery, type WizardDraft } from "@assay/contract";
import { SampleSizeError, toSampleSize } from "../../model/sample-size.ts";
import type { StepError } from "./step.ts";

const MAX_ARMS = 50;

/** Computes the sample size of a draft at its own significance level. Null without the required inputs. */
export function planSampleSize(
  data: WizardDraft["data"],
  arms: number,
): { plan: WizardDraft["sample_size"]; errors: StepError[] } {
  const input = SampleSizeInput.safeParse(data.sample_size);
  const alpha = SampleSizeQuery.shape.alpha.safeParse(data.alpha ?? undefined);
  // Invalid fields are reported at their own steps.
  if (!input.success || !alpha.success) return { plan: null, errors: [] };
  // A test has two variants until they are chosen.
  const variants = Math.min(Math.max(2, arms), MAX_ARMS);
  try {
    const plan = toSampleSize({ ...input.data, alpha: alpha.data, variants });
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
