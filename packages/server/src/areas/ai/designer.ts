import type { DesignRequest, ExperimentDesign } from "@assay/contract";
import { type Facts, readDescription } from "./description.ts";
import { plannedUsers, requireSampleSize } from "./sample-size.ts";
import { type DesignTemplate, toVariants } from "./template.ts";
import { GENERAL, TEMPLATES } from "./templates.ts";

const ALPHA = 0.05;
const POWER = 0.8;
/** Smaller relative effects in the text are ignored as unrelated. */
const LEAST_EFFECT = 1e-4;

/**
 * Designs an experiment from its description, deterministically: chooses the template with the most matching words, and
 * fills in the numbers, names and URLs of the description.
 *
 * @throws ApiError 422 if the effect leads to no possible rate
 */
export function design(request: DesignRequest): ExperimentDesign {
  const facts = readDescription(request.description);
  const template = chooseTemplate(request.description, facts);
  const body = toBody(template, request.description, facts);
  const arms = body.variants?.length ?? body.split_url_config?.variants.length ?? combinationsOf(body.factors);
  const plan = toPlan(request, facts, template, arms);
  const targeting_rules = toTargeting(facts);
  return {
    ...body,
    ...(targeting_rules ? { targeting_rules } : {}),
    alpha: ALPHA,
    planned_sample_size: plannedUsers(plan.size),
    rationale: [
      ...explainShape(template, body, facts, arms),
      ...plan.assumptions,
      explainSize(plan.size),
      ...explainTime(plan.size),
    ],
    sample_size: plan.size,
    template_id: template.id,
    source: "BUILT_IN",
  };
}

function chooseTemplate(description: string, { urls }: Facts): DesignTemplate {
  if (urls) return TEMPLATES.find(({ experiment }) => experiment.experiment_type === "SPLIT_URL")!;
  const words = description.toLowerCase().match(/[a-z][a-z-]*/g) ?? [];
  let [best, most] = [GENERAL, 0];
  for (const template of TEMPLATES) {
    const score = words.filter((word) => template.keywords.includes(word)).length;
    if (score > most) [best, most] = [template, score];
  }
  return best;
}

function toBody(template: DesignTemplate, description: string, { arms, urls }: Facts) {
  const { experiment } = template;
  const named = {
    ...experiment,
    name: toName(description) || experiment.name,
    description,
  };
  if (experiment.experiment_type === "SPLIT_URL") {
    if (!urls) return named;
    const weight = Math.floor(100 / urls.length);
    const variants = toVariants(urls).map(({ key, name }, index) => ({
      key,
      name,
      url: name,
      // Integers that sum to exactly 100.
      weight: index === 0 ? 100 - weight * (urls.length - 1) : weight,
    }));
    return { ...named, split_url_config: { variants } };
  }
  return arms && experiment.variants ? { ...named, variants: toVariants(arms) } : named;
}

/** The first sentence as a title. Empty if it has no words. */
function toName(description: string): string {
  const [sentence = description] = description.split(/(?<=[.!?])\s|\n/);
  const bare = sentence
    .replace(/\p{Cc}+/gu, " ")
    .trim()
    .replace(/[.!?]+$/, "");
  return bare.length <= 80 ? bare : `${bare.slice(0, 80).replace(/\s+\S*$/, "")} …`;
}

function combinationsOf(factors: ExperimentDesign["factors"]): number {
  return (factors ?? []).reduce((product, { levels }) => product * levels.length, 1);
}

function toTargeting({ countries, devices }: Facts): ExperimentDesign["targeting_rules"] {
  if (!countries && !devices) return undefined;
  return {
    ...(countries ? { countries } : {}),
    ...(devices ? { user_attributes: { device_type: devices } } : {}),
  };
}

function toPlan(request: DesignRequest, facts: Facts, template: DesignTemplate, variants: number) {
  const baseline_rate = request.baseline_rate ?? facts.baseline ?? template.baseline_rate;
  // Extracted or assumed values must lead to a valid rate. Invalid given values are rejected.
  const isPossible = (effect: number | undefined) =>
    effect !== undefined && effect >= LEAST_EFFECT && baseline_rate * (1 + effect) < 1;
  const read = isPossible(facts.mde) ? facts.mde : undefined;
  const assumed = isPossible(template.mde) ? template.mde : (1 - baseline_rate) / (2 * baseline_rate);
  const mde = request.mde ?? read ?? assumed;
  const daily_users = request.daily_users ?? facts.dailyUsers;
  const size = requireSampleSize(
    { baseline_rate, mde, relative: true, alpha: ALPHA, power: POWER, variants, daily_users },
    "body",
  );
  const assumptions = [
    `Baseline ${percent(baseline_rate)}: ${sourceOf(request.baseline_rate, facts.baseline)}.`,
    `Effect worth finding ${percent(mde)} of that, ${percent(baseline_rate)} to ${percent(size.target ?? 0)}: ${sourceOf(request.mde, read)}.`,
  ];
  return { size, assumptions };
}

function sourceOf(given: number | undefined, read: number | undefined): string {
  if (given !== undefined) return "as you gave it";
  return read === undefined ? "assumed, because you named none; put your own in its place" : "read in your description";
}

function explainShape(
  template: DesignTemplate,
  body: { experiment_type: string; metrics: ExperimentDesign["metrics"] },
  facts: Facts,
  arms: number,
): string[] {
  const primary = body.metrics.find(({ role }) => role === "PRIMARY");
  const guardrails = body.metrics.filter(({ role }) => role === "GUARDRAIL").map(({ name }) => name.toLowerCase());
  const lines = [
    `${body.experiment_type} with ${arms} arms of equal weight, from the template "${template.title}".`,
    `Primary metric: ${primary?.name} (event ${primary?.event_type}). One metric decides, so that no other can be picked afterwards.`,
  ];
  if (guardrails.length > 0) lines.push(`Guardrails that must not get worse: ${guardrails.join(", ")}.`);
  if (facts.countries) lines.push(`Only users whose attribute country is ${facts.countries.join(" or ")}.`);
  if (facts.devices) lines.push(`Only users whose attribute device_type is ${facts.devices.join(" or ")}.`);
  return lines;
}

function explainSize({ per_variant, total, variants, alpha_per_comparison }: ExperimentDesign["sample_size"]): string {
  const level =
    variants > 2
      ? `${ALPHA} over ${variants - 1} comparisons (${Number(alpha_per_comparison.toPrecision(3))} each)`
      : ALPHA;
  return `${per_variant} users an arm, ${total} in all: a two-sided test at ${level} finds the effect with ${percent(POWER)} power.`;
}

function explainTime({ days, daily_users }: ExperimentDesign["sample_size"]): string[] {
  if (days === null) return ["How long that takes depends on daily_users, which you did not name."];
  const lines = [
    `${days} ${days === 1 ? "day" : "days"} at ${daily_users} users a day; run whole weeks, ${7 * Math.ceil(days / 7)} days.`,
  ];
  if (days > 56)
    lines.push(
      "That is more than eight weeks: look for a larger effect, fewer arms, or a metric closer to the change.",
    );
  return lines;
}

function percent(share: number): string {
  return `${Number((100 * share).toPrecision(4))} %`;
}
