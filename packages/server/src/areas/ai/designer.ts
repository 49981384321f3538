import type { DesignRequest, ExperimentDesign } from "@assay/contract";
import { type Reading, readDescription } from "@assay/design";
import { toMetrics } from "./design-metrics.ts";
import { toPlan } from "./design-plan.ts";
import { toQuestions, toReadings } from "./design-questions.ts";
import { weightsOf } from "./design-weights.ts";
import { explain } from "./rationale.ts";
import { plannedUsers } from "./sample-size.ts";
import { type DesignTemplate, toVariants } from "./template.ts";
import { GENERAL, TEMPLATES } from "./templates.ts";

/**
 * Designs an experiment from its description, deterministically. Chooses the template with the most matching words, and
 * fills in the metric, numbers, names and URLs of the description. Lists each default in `assumptions`, and asks for
 * its value in `questions`.
 *
 * @throws ApiError 422 if the numbers of the request lead to no sample size
 */
export function design(request: DesignRequest): ExperimentDesign {
  const reading = readDescription(request.description);
  const template = chooseTemplate(request.description, reading);
  const body = toBody(template, request.description, reading);
  const weights = weightsOf(body);
  const plan = toPlan(request, reading, template, weights);
  const { metrics, assumptions } = toMetrics(body.metrics, reading, plan.direction);
  const targeting_rules = toTargeting(reading);
  return {
    ...body,
    metrics,
    ...(targeting_rules ? { targeting_rules } : {}),
    alpha: plan.alpha,
    planned_sample_size: plan.size && plannedUsers(plan.size.total),
    rationale: explain({ ...body, metrics }, template.title, reading, plan, weights),
    reading: toReadings(reading),
    assumptions: [
      ...assumptions,
      ...plan.assumptions,
      ...(isArmsStated(reading)
        ? []
        : [
            {
              field: "variants",
              value: weights.length,
              reason: "Not stated: the arms of the template, control included.",
            },
          ]),
    ],
    questions: toQuestions(request, reading, plan.doubts),
    sample_size: plan.size,
    template_id: template.id,
    source: "BUILT_IN",
  };
}

const isArmsStated = ({ arms, armNames, split, urls }: Reading) =>
  [arms, armNames, split, urls].some((stated) => stated !== undefined);

function chooseTemplate(description: string, { urls }: Reading): DesignTemplate {
  if (urls) return TEMPLATES.find(({ experiment }) => experiment.experiment_type === "SPLIT_URL")!;
  const words = description.toLowerCase().match(/[a-z][a-z-]*/g) ?? [];
  let [best, most] = [GENERAL, 0];
  for (const template of TEMPLATES) {
    const score = words.filter((word) => template.keywords.includes(word)).length;
    if (score > most) [best, most] = [template, score];
  }
  return best;
}

function toBody(template: DesignTemplate, description: string, reading: Reading) {
  const { experiment } = template;
  const named = {
    ...experiment,
    name: toName(description) || experiment.name,
    description,
  };
  const { urls } = reading;
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
  if (!experiment.variants) return named;
  const names = armNamesOf(reading);
  const variants = names ? toVariants(names) : experiment.variants;
  const { split } = reading;
  if (split?.value.length !== variants.length) return { ...named, variants };
  return { ...named, variants: variants.map((one, index) => ({ ...one, weight: split.value[index]! / 100 })) };
}

function armNamesOf({ armNames, arms, split }: Reading): string[] | undefined {
  const count = arms?.value ?? split?.value.length;
  if (armNames || count === undefined) return armNames;
  if (count === 2) return ["Control", "Treatment"];
  return ["Control", ...Array.from({ length: count - 1 }, (_, index) => `Treatment ${index + 1}`)];
}

/** Returns the first sentence as a title, or an empty text if it has no words. */
function toName(description: string): string {
  const [sentence = description] = description.split(/(?<=[.!?])\s|\n/);
  const bare = sentence
    .replace(/\p{Cc}+/gu, " ")
    .trim()
    .replace(/[.!?]+$/, "");
  return bare.length <= 80 ? bare : `${bare.slice(0, 80).replace(/\s+\S*$/, "")} …`;
}

function toTargeting({ countries, devices }: Reading): ExperimentDesign["targeting_rules"] {
  if (!countries && !devices) return undefined;
  return {
    ...(countries ? { countries } : {}),
    ...(devices ? { user_attributes: { device_type: devices } } : {}),
  };
}
