import type {
  Experiment,
  ExperimentCreate,
  ExperimentDesign,
  ExperimentTemplate,
  GroupSequential,
  VarianceReduction,
} from "@assay/client";
import { toKey } from "../../flags/new-flag-page.tsx";

export interface ArmDraft {
  key: string;
  /** In percent. */
  weight: string;
  url: string;
}

export interface MetricDraft {
  name: string;
  event: string;
  kind: Experiment["metrics"][number]["kind"];
  role: Experiment["metrics"][number]["role"];
  direction: Experiment["metrics"][number]["direction"];
  denominator: string;
  quantile: string;
  /** Whether its values before the exposure adjust all metrics. */
  isCovariate: boolean;
  /** Fields that the form does not show. */
  more: { id?: string };
}

/** When the experiment is decided, as typed. */
export interface PlanDraft {
  when: "once" | "looks" | "any";
  looks: string;
  spending: GroupSequential["spending_function"];
}

/** How metrics are adjusted, as typed. */
export interface AdjustDraft {
  method: VarianceReduction["method"];
  days: string;
  /** With commas. */
  attributes: string;
  /** Of a metric with what adjusts it, for the sample size. */
  correlation: string;
}

/** The inputs of a sample size, as typed. */
export interface SizeDraft {
  isRate: boolean;
  /** A rate in percent, or a mean. */
  baseline: string;
  deviation: string;
  /** In percent of the baseline. */
  lift: string;
  /** In percent. */
  power: string;
  daily: string;
}

/** An experiment as typed: numbers are texts until it is saved. */
export interface ExperimentDraft {
  name: string;
  key: string;
  hypothesis: string;
  flag: string;
  group: string;
  /** The first is the control. */
  arms: ArmDraft[];
  metrics: MetricDraft[];
  size: SizeDraft;
  plan: PlanDraft;
  adjust: AdjustDraft;
  /** Users that the experiment had planned, if its size is not computed. */
  planned: number | null;
  /** Fields that the form does not show, from a design or template. */
  more: Partial<ExperimentCreate>;
}

type Design = Pick<
  ExperimentDesign,
  "name" | "description" | "hypothesis" | "experiment_type" | "variants" | "metrics" | "split_url_config" | "factors"
>;

export const EMPTY_METRIC: MetricDraft = {
  name: "",
  event: "",
  kind: "CONVERSION",
  role: "SECONDARY",
  direction: "INCREASE",
  denominator: "",
  quantile: "0.5",
  isCovariate: false,
  more: {},
};
export const EMPTY_ARM: ArmDraft = { key: "", weight: "", url: "" };

export const EMPTY: ExperimentDraft = {
  name: "",
  key: "",
  hypothesis: "",
  flag: "",
  group: "",
  arms: [
    { key: "control", weight: "50", url: "" },
    { key: "treatment", weight: "50", url: "" },
  ],
  metrics: [{ ...EMPTY_METRIC, role: "PRIMARY" }],
  size: { isRate: true, baseline: "", deviation: "", lift: "", power: "80", daily: "" },
  plan: { when: "once", looks: "5", spending: "obrien_fleming" },
  adjust: { method: "NONE", days: "14", attributes: "", correlation: "" },
  planned: null,
  more: {},
};

/** A number as people type it, without the noise of binary fractions. */
export const toTyped = (value: number) => String(Number(value.toPrecision(12)));

/** Weights as percentages: designs have shares, experiments have either. */
function toArms(arms: readonly { key: string; weight: number; is_control?: boolean; url?: string }[]): ArmDraft[] {
  const sum = arms.reduce((total, { weight }) => total + weight, 0);
  const ordered = [...arms].sort((a, b) => Number(b.is_control ?? false) - Number(a.is_control ?? false));
  return ordered.map(({ key, weight, url = "" }) => ({ key, weight: toTyped((100 * weight) / sum), url }));
}

function toMetric(metric: Design["metrics"][number]): MetricDraft {
  const { name, event_type, kind, role, direction, denominator_event_type = "", quantile = 0.5, ...more } = metric;
  return {
    name,
    event: event_type,
    kind,
    role,
    direction,
    denominator: denominator_event_type,
    quantile: toTyped(quantile),
    isCovariate: false,
    more,
  };
}

/** Takes what a design or template says, and keeps what was typed where it says nothing. */
export function withDesign(
  draft: ExperimentDraft,
  design: Design & Partial<Pick<ExperimentDesign, "targeting_rules" | "alpha">>,
): ExperimentDraft {
  const { name, hypothesis, description, experiment_type, variants, split_url_config, factors, metrics } = design;
  const { targeting_rules, alpha } = design;
  const arms = split_url_config?.variants ?? variants;
  return {
    ...draft,
    name,
    hypothesis,
    arms: arms ? toArms(arms) : draft.arms,
    metrics: metrics.map(toMetric),
    more: JSON.parse(JSON.stringify({ description, experiment_type, factors, targeting_rules, alpha })),
  };
}

/** The sample size that a sentence gives. */
export function withSize(draft: ExperimentDraft, { sample_size }: Pick<ExperimentDesign, "sample_size">) {
  if (!sample_size) return draft;
  const { metric_kind, baseline, relative_effect, power, daily_users } = sample_size;
  const isRate = metric_kind === "CONVERSION";
  if (!isRate && metric_kind !== "MEAN") return draft;
  const size: SizeDraft = {
    ...draft.size,
    isRate,
    baseline: baseline === null ? "" : toTyped(isRate ? 100 * baseline : baseline),
    lift: relative_effect === null ? "" : toTyped(Number((100 * relative_effect).toPrecision(6))),
    power: toTyped(100 * power),
    daily: daily_users === null ? draft.size.daily : String(daily_users),
  };
  return { ...draft, size };
}

export function withTemplate(draft: ExperimentDraft, template: ExperimentTemplate): ExperimentDraft {
  const { experiment, baseline_rate, mde } = template;
  const size = { ...draft.size, isRate: true, baseline: toTyped(100 * baseline_rate), lift: toTyped(100 * mde) };
  return { ...withDesign(draft, experiment), size };
}

export function fromExperiment(experiment: Experiment): ExperimentDraft {
  const { group_sequential, variance_reduction } = experiment;
  const { method = "NONE", lookback_days = 14, covariates = [], attributes = [] } = variance_reduction ?? {};
  const design = withDesign(EMPTY, { ...experiment, split_url_config: undefined, targeting_rules: undefined });
  return {
    ...design,
    metrics: design.metrics.map((one) => ({ ...one, isCovariate: covariates.includes(one.more.id ?? "") })),
    plan: group_sequential
      ? { when: "looks", looks: String(group_sequential.looks), spending: group_sequential.spending_function }
      : EMPTY.plan,
    adjust: { ...EMPTY.adjust, method, days: String(lookback_days), attributes: attributes.join(", ") },
    key: experiment.key,
    flag: experiment.feature_flag_key ?? "",
    group: experiment.mutual_exclusion_group_id ?? "",
    planned: experiment.planned_sample_size,
    // What the form does not show stays as it is.
    more: {
      experiment_type: experiment.experiment_type,
      ...(experiment.factors && { factors: experiment.factors }),
    },
  };
}

export const isSplitUrl = ({ more }: ExperimentDraft) => more.experiment_type === "SPLIT_URL";
/** Whether the arms are those of a flag, or all combinations of factors. */
export const hasOwnArms = (draft: ExperimentDraft) => draft.flag === "" && (draft.more.factors ?? []).length === 0;

const trimmed = (text: string) => text.trim() || undefined;
/** An empty text is no number, and a wrong one is refused by the server beside its field. */
const toNumber = (text: string) => (text.trim() === "" ? undefined : Number(text));

function toAdjustment({ adjust, metrics }: ExperimentDraft) {
  const { method, days, attributes } = adjust;
  if (method === "NONE") return null;
  const own = { method, lookback_days: toNumber(days) };
  if (method === "CUPED") return own;
  const covariates = metrics.filter(({ isCovariate }) => isCovariate).map(idOf);
  const names = attributes.split(",").map((name) => name.trim());
  return { ...own, covariates, attributes: names.filter((name) => name !== "") };
}

/** Returns the id of a metric. Covariates are named by it, so a new one gets it here. */
const idOf = ({ name, more }: MetricDraft) => more.id ?? toKey(name);

/** The body that creates the experiment. @param planned users of all arms, if the sample size is known */
export function toBody(draft: ExperimentDraft, planned: number | null): ExperimentCreate {
  const arms = draft.arms.map(({ key, weight }, index) => ({
    key: key.trim(),
    weight: toNumber(weight),
    is_control: index === 0,
  }));
  const urls = draft.arms.map(({ key, weight, url }) => ({
    key: key.trim(),
    name: key.trim(),
    url,
    weight: Number(weight),
  }));
  const body = {
    ...draft.more,
    key: trimmed(draft.key),
    name: draft.name.trim(),
    hypothesis: draft.hypothesis.trim(),
    feature_flag_key: draft.flag || null,
    mutual_exclusion_group_id: draft.group || null,
    group_sequential:
      draft.plan.when === "looks"
        ? { looks: toNumber(draft.plan.looks), spending_function: draft.plan.spending }
        : null,
    variance_reduction: toAdjustment(draft),
    metrics: draft.metrics.map(({ name, event, kind, role, direction, denominator, quantile, isCovariate, more }) => ({
      ...more,
      ...(isCovariate && draft.adjust.method === "REGRESSION" && { id: more.id ?? toKey(name) }),
      name: name.trim(),
      event_type: event.trim(),
      kind,
      role,
      direction,
      ...(kind === "RATIO" && { denominator_event_type: trimmed(denominator) }),
      ...(kind === "QUANTILE" && { quantile: toNumber(quantile) }),
    })),
    planned_sample_size: draft.plan.when === "any" ? null : planned,
    ...(hasOwnArms(draft) && (isSplitUrl(draft) ? { split_url_config: { variants: urls } } : { variants: arms })),
  };
  return body as ExperimentCreate;
}
