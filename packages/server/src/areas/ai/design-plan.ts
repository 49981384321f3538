import type { DesignAssumption, DesignRequest, SampleSize } from "@assay/contract";
import type { Direction, Doubt, Reading } from "@assay/design";
import { toSampleSize } from "../../model/sample-size.ts";
import { SampleSizeError, type SampleSizeQuestion } from "../../model/sample-size-question.ts";
import { requireSampleSize } from "./sample-size.ts";
import type { DesignTemplate } from "./template.ts";

const ALPHA = 0.05;
const POWER = 0.8;
/** Ignores smaller relative effects in the text as unrelated. */
const MIN_EFFECT = 1e-4;

/** The origin of a number: the request, the description, or a default. */
export type Origin = "GIVEN" | "READ" | "ASSUMED";

/** The numbers of a design. */
export interface DesignPlan {
  direction: Direction;
  alpha: number;
  power: number;
  dailyUsers: number | undefined;
  /** null while its standard deviation or mean is missing. */
  size: SampleSize | null;
  origins: { baseline: Origin; effect: Origin };
  assumptions: DesignAssumption[];
  /** Values of the description that the design cannot use. */
  doubts: Doubt[];
}

/**
 * Takes each number from the request, otherwise from the description, otherwise as a default, which it lists as an
 * assumption.
 *
 * @param weights weights of the arms, control first
 * @throws ApiError 422 if the numbers of the request lead to no sample size
 */
export function toPlan(
  request: DesignRequest,
  reading: Reading,
  template: DesignTemplate,
  weights: number[],
): DesignPlan {
  const assumptions: DesignAssumption[] = [];
  const doubts: Doubt[] = [];
  const assume = <T extends number | string>(field: string, value: T, reason: string): T => {
    assumptions.push({ field, value, reason });
    return value;
  };
  const improves = reading.metric?.value.improves ?? primaryOf(template).direction;
  const direction =
    request.direction ??
    reading.direction?.value ??
    assume("direction", improves, "Not stated: the direction in which the metric gets better.");
  const levels = levelsOf(request, reading, doubts);
  const alpha = levels.alpha ?? assume("alpha", ALPHA, "The usual level, unless you state another.");
  const power = levels.power ?? assume("power", POWER, "The usual power, unless you state another.");
  const dailyUsers = request.daily_users ?? reading.dailyUsers?.value;
  const { cuped_correlation, cluster_size, cluster_size_cv, icc } = request;
  const ofUsers = { weights, cuped_correlation, cluster_size, cluster_size_cv, icc };
  const shared = { alpha, power, ...ofUsers, daily_users: dailyUsers };
  const metric = { request, reading, template, direction, assume, doubts };
  const question = isMean(request, reading) ? ofMean(metric) : ofRate(metric);
  return {
    direction,
    alpha,
    power,
    dailyUsers,
    size: question && sizeOf({ ...question, ...shared }, isGiven(request), doubts),
    origins: {
      baseline: originOf(request.baseline_rate ?? request.mean, "baseline_rate", assumptions),
      effect: originOf(request.mde, "relative_effect", assumptions),
    },
    assumptions,
    doubts,
  };
}

function originOf(given: number | undefined, field: string, assumptions: readonly DesignAssumption[]): Origin {
  if (given !== undefined) return "GIVEN";
  return assumptions.some((assumption) => assumption.field === field) ? "ASSUMED" : "READ";
}

export const primaryOf = ({ experiment }: DesignTemplate) => experiment.metrics.find(({ role }) => role === "PRIMARY")!;

/** Whether the sample size is that of means. A rate in the request decides against the description. */
export function isMean(request: DesignRequest, reading: Reading): boolean {
  if (request.mean !== undefined || request.standard_deviation !== undefined) return true;
  return request.baseline_rate === undefined && (reading.metric?.value.kind ?? "CONVERSION") !== "CONVERSION";
}

/** Whether the request contains numbers for the sample size, besides `daily_users`. */
const isGiven = ({ description, direction, relative, daily_users, ...numbers }: DesignRequest) =>
  Object.values(numbers).some((value) => value !== undefined);

function levelsOf(request: DesignRequest, reading: Reading, doubts: Doubt[]) {
  const alpha = request.alpha ?? reading.alpha?.value;
  const power = request.power ?? reading.power?.value;
  const isRead = request.alpha === undefined || request.power === undefined;
  if (!isRead || (power ?? POWER) > (alpha ?? ALPHA)) return { alpha, power };
  doubts.push({ about: "power", reason: "The power in the description is not above alpha." });
  return { alpha: request.alpha, power: request.power };
}

const isRate = (value: number | undefined) => value !== undefined && value > 0 && value < 1;

interface MetricNumbers {
  request: DesignRequest;
  reading: Reading;
  template: DesignTemplate;
  direction: Direction;
  assume: <T extends number | string>(field: string, value: T, reason: string) => T;
  doubts: Doubt[];
}

type MetricQuestion = Pick<SampleSizeQuestion, "baseline_rate" | "mean" | "standard_deviation" | "mde" | "relative">;

function ofRate({ request, reading, template, direction, assume, doubts }: MetricNumbers): MetricQuestion {
  const read = reading.metric && reading.metric.value.kind !== "CONVERSION" ? undefined : reading;
  const baseline_rate =
    request.baseline_rate ??
    (isRate(read?.baseline?.value) ? read?.baseline?.value : undefined) ??
    assume("baseline_rate", template.baseline_rate, `Not stated: the rate of the template "${template.title}".`);
  const sign = direction === "DECREASE" ? -1 : 1;
  const isPossible = (effect: number) => {
    const target = baseline_rate * (1 + effect);
    return Math.abs(effect) >= MIN_EFFECT && target > 0 && target < 1;
  };
  if (request.mde !== undefined) return { baseline_rate, mde: sign * request.mde, relative: request.relative ?? true };
  const effect = read?.effect?.value;
  if (effect) {
    const mde = sign * Math.abs(effect.value);
    if (isPossible(effect.relative ? mde : mde / baseline_rate))
      return { baseline_rate, mde, relative: effect.relative };
    const reason = `"${read.effect!.text}" leads from ${percent(baseline_rate)} to no rate between 0 % and 100 %, or is too small.`;
    doubts.push({ about: "effect", reason });
  }
  const usual = sign * template.mde;
  const mde = isPossible(usual) ? usual : (sign * (1 - baseline_rate)) / (2 * baseline_rate);
  const reason = `Not stated: the share of the baseline in the template "${template.title}".`;
  return { baseline_rate, mde: assume("relative_effect", mde, reason), relative: true };
}

/**
 * Returns the question for a mean, or null if numbers are missing. A mean needs its standard deviation, and a relative
 * effect needs the mean. Neither has a usual value.
 */
function ofMean({ request, reading, template, direction, assume }: MetricNumbers): MetricQuestion | null {
  const kind = reading.metric?.value.kind;
  const read = kind === "CONVERSION" ? undefined : reading;
  const mean = request.mean ?? read?.baseline?.value;
  // The standard deviation of values is not that of their quantile.
  const standard_deviation =
    request.standard_deviation ?? (kind === "QUANTILE" ? undefined : read?.standardDeviation?.value);
  const sign = direction === "DECREASE" ? -1 : 1;
  const effect =
    request.mde === undefined ? read?.effect?.value : { value: request.mde, relative: request.relative ?? true };
  const { value, relative } = effect ?? { value: template.mde, relative: true };
  const isOpen = standard_deviation === undefined || (relative && mean === undefined);
  // If the request also has a rate, the sample size rejects the request.
  if (isOpen && request.baseline_rate === undefined) return null;
  const mde = sign * Math.abs(value);
  if (!effect)
    assume("relative_effect", mde, `Not stated: the share of the baseline in the template "${template.title}".`);
  return { baseline_rate: request.baseline_rate, mean, standard_deviation, mde, relative };
}

/** Computes the sample size. An impossible value of the request is an error; one of the description becomes a doubt. */
function sizeOf(question: SampleSizeQuestion, given: boolean, doubts: Doubt[]): SampleSize | null {
  if (given) return requireSampleSize(question, "body");
  try {
    return toSampleSize(question);
  } catch (error) {
    if (!(error instanceof SampleSizeError)) throw error;
    doubts.push({ about: "effect", reason: `${error.message}.` });
    return null;
  }
}

/** Returns a share as text: 0.0425 is `4.25 %`. */
export function percent(share: number): string {
  return `${Number((100 * share).toPrecision(4))} %`;
}
