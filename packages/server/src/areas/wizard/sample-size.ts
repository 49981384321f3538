import { SampleSizeInput, type WizardDraft } from "@assay/contract";
import { meanSampleSize, proportionSampleSize, treatmentRate } from "@assay/core/stats";
import type { StepError } from "./step.ts";

export type SampleSizePlan = NonNullable<WizardDraft["sample_size"]>;

const MOST_USERS = 1_000_000_000;
const MOST_ARMS = 50;

/**
 * Works a draft's sample size out with the planning of `@assay/core/stats`: arms of one size, each compared with control
 * at a level divided by the comparisons (Bonferroni). Null where there is nothing to work it out from.
 */
export function planSampleSize(
  data: WizardDraft["data"],
  arms: number,
): { plan: SampleSizePlan | null; errors: StepError[] } {
  const input = SampleSizeInput.safeParse(data.sample_size);
  if (!input.success) return { plan: null, errors: [] };
  // Until the variants are chosen, a test has two.
  const variants = Math.min(Math.max(2, arms), MOST_ARMS);
  try {
    return { plan: toPlan(input.data, variants, typeof data.alpha === "number" ? data.alpha : 0.05), errors: [] };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const [step, loc] = ["SAMPLE_SIZE" as const, ["sample_size"]];
    return { plan: null, errors: [{ step, loc, msg: error.message, type: "value_error" }] };
  }
}

/** @throws RangeError where no number of users would do, or too many are needed */
function toPlan(input: SampleSizeInput, variants: number, alpha: number): SampleSizePlan {
  const { mde, relative, power, daily_users, baseline_rate } = input;
  const options = { alpha, power, variants };
  const { control, total, alphaPerComparison } =
    baseline_rate === undefined
      ? meanSampleSize(toEffect(input), deviationOf(input), options)
      : proportionSampleSize(baseline_rate, toTarget(baseline_rate, mde, relative), options);
  if (!(total <= MOST_USERS)) throw new RangeError(`That effect needs more than ${MOST_USERS} users`);
  const days = daily_users === undefined ? null : Math.ceil(total / daily_users);
  if (days !== null && !Number.isSafeInteger(days)) throw new RangeError("With so few users a day it never ends");
  return { per_variant: control, total, variants, days, alpha: alphaPerComparison, power };
}

function toTarget(baselineRate: number, mde: number, relative: boolean | undefined): number {
  const target = treatmentRate(baselineRate, mde, relative ? "relative" : "absolute");
  if (target >= 1) throw new RangeError(`The effect leads to a rate of ${target}, which is not below 1`);
  return target;
}

function toEffect({ mde, relative, baseline_mean }: SampleSizeInput): number {
  if (!relative) return mde;
  if (baseline_mean === undefined) throw new RangeError("A relative effect needs baseline_rate or baseline_mean");
  return mde * baseline_mean;
}

function deviationOf({ standard_deviation }: SampleSizeInput): number {
  if (standard_deviation === undefined) throw new RangeError("Give baseline_rate, or standard_deviation for a mean");
  return standard_deviation;
}
