import type { ExperimentDesign, SampleSize } from "@assay/contract";
import type { Reading } from "@assay/design";
import { type DesignPlan, percent } from "./design-plan.ts";
import { leastOf } from "./design-weights.ts";

type Body = Pick<ExperimentDesign, "experiment_type" | "metrics">;

/** Explains a design in sentences. */
export function explain(
  body: Body,
  title: string,
  reading: Reading,
  plan: DesignPlan,
  weights: readonly number[],
): string[] {
  return [
    ...explainShape(body, title, reading, weights),
    ...(plan.size ? [...explainNumbers(plan.size, plan, weights), ...explainTime(plan.size, reading)] : [WITHOUT_SIZE]),
  ];
}

const ORIGINS = {
  GIVEN: "as you gave it",
  READ: "read in your description",
  ASSUMED: "assumed, because you named none clearly; put your own in its place",
};
const WITHOUT_SIZE = "There is no sample size yet: it needs the answers to the questions.";

function explainShape(
  { experiment_type, metrics }: Body,
  title: string,
  reading: Reading,
  weights: readonly number[],
): string[] {
  const { leastShare, isEven } = leastOf(weights);
  const primary = metrics.find(({ role }) => role === "PRIMARY");
  const guardrails = metrics.filter(({ role }) => role === "GUARDRAIL").map(({ name }) => name.toLowerCase());
  const shares = isEven ? "of equal weight" : `of which the smallest gets ${percent(leastShare)} of the users`;
  const lines = [
    `${experiment_type} with ${weights.length} arms ${shares}, from the template "${title}".`,
    `Primary metric: ${primary?.name} (event ${primary?.event_type}). One metric decides, so that no other can be picked afterwards.`,
  ];
  if (guardrails.length > 0) lines.push(`Guardrails that must not get worse: ${guardrails.join(", ")}.`);
  if (reading.countries) lines.push(`Only users whose attribute country is ${reading.countries.join(" or ")}.`);
  if (reading.devices) lines.push(`Only users whose attribute device_type is ${reading.devices.join(" or ")}.`);
  return lines;
}

function explainNumbers(size: SampleSize, plan: DesignPlan, weights: readonly number[]): string[] {
  const { isEven } = leastOf(weights);
  const { baseline, target, absolute_effect, relative_effect, variants, alpha, power, per_variant, total } = size;
  const factor = Number(size.variance_factor.toPrecision(3));
  const isRate = size.metric_kind === "CONVERSION";
  const show = (value: number) => (isRate ? percent(value) : String(Number(value.toPrecision(6))));
  const level =
    variants > 2
      ? `${alpha} over ${variants - 1} comparisons (${Number(size.alpha_per_comparison.toPrecision(3))} each)`
      : alpha;
  const change = relative_effect === null ? show(absolute_effect) : `${percent(relative_effect)} of that`;
  const span = baseline === null || target === null ? "" : `, ${show(baseline)} to ${show(target)}`;
  return [
    ...(baseline === null ? [] : [`Baseline ${show(baseline)}: ${ORIGINS[plan.origins.baseline]}.`]),
    `Effect worth finding ${change}${span}: ${ORIGINS[plan.origins.effect]}.`,
    `${per_variant} users ${isEven ? "an arm" : "in the smallest arm"}, ${total} in all: a two-sided test at ${level} finds the effect with ${percent(power)} power.`,
    ...(factor === 1
      ? []
      : [`That is ${factor} times as many as without the correlation and the clusters that you gave.`]),
  ];
}

function explainTime({ days, daily_users }: SampleSize, reading: Reading): string[] {
  if (days === null) return ["How long that takes depends on daily_users, which you did not name."];
  const lines = [
    `${days} ${days === 1 ? "day" : "days"} at ${daily_users} users a day; run whole weeks, ${7 * Math.ceil(days / 7)} days.`,
  ];
  if (reading.days && reading.days.value < days) {
    lines.push(`You named ${reading.days.value} days, which are too few: look for a larger effect, or fewer arms.`);
  }
  if (days > 56) {
    lines.push(
      "That is more than eight weeks: look for a larger effect, fewer arms, or a metric closer to the change.",
    );
  }
  return lines;
}
