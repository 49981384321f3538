import { isDeepStrictEqual } from "node:util";
import type { ExperimentCreate, ExperimentUpdate } from "@assay/contract";
import { badRequest, invalid } from "../../ground/errors.ts";
import type { ExperimentRecord } from "../../model/experiment.ts";
import type { FlagRecord } from "../../model/feature-flag.ts";
import { requireSwitchback } from "./switchback.ts";
import { requireCovariates } from "./variance-reduction.ts";
import { toSlug, toVariants } from "./variants.ts";

/** Looks up the flag of an experiment. @throws ApiError 422 if it does not exist */
export type FlagLookup = (key: string) => FlagRecord;

/** The fields that determine assignments or estimates. They can change only in DRAFT. */
const STRUCTURE = [
  "key",
  "experiment_type",
  "variants",
  "targeting_rules",
  "rules",
  "overrides",
  "factors",
  "design",
  "default_value",
  "split_url_config",
  "feature_flag_key",
  "bucket_by",
  "switchback",
  "allocation",
  "variance_reduction",
  "mutual_exclusion_group_id",
] as const;

/** Fields that are absent instead of null. */
const OPTIONAL = ["factors", "design", "overrides", "split_url_config", "switchback", "variance_reduction"] as const;

/** Returns a new DRAFT with defaults. @throws ApiError 422 */
export function toNewExperiment(
  body: ExperimentCreate,
  context: { key: string; createdBy: string; now: string; findFlag: FlagLookup },
): Omit<ExperimentRecord, "id" | "created_at" | "updated_at" | "version"> {
  const experiment = {
    key: context.key,
    name: body.name,
    description: body.description ?? "",
    hypothesis: body.hypothesis ?? "",
    experiment_type: body.experiment_type ?? "AB_TEST",
    status: "DRAFT" as const,
    start_date: body.start_date ?? null,
    end_date: body.end_date ?? null,
    targeting_rules: body.targeting_rules ?? null,
    rules: body.rules ?? [],
    variants: toVariants(
      { ...body, experiment_type: body.experiment_type ?? "AB_TEST" },
      flagOf(body, context.findFlag),
    ),
    metrics: toMetrics(body.metrics ?? []),
    ...(body.factors ? { factors: body.factors, design: body.design ?? ("FULL_FACTORIAL" as const) } : {}),
    ...(body.default_value === undefined ? {} : { default_value: body.default_value }),
    ...(body.overrides ? { overrides: body.overrides } : {}),
    bayesian_enabled: body.bayesian_enabled ?? false,
    bayesian_config: body.bayesian_config ?? null,
    ...(body.split_url_config ? { split_url_config: body.split_url_config } : {}),
    feature_flag_key: body.feature_flag_key ?? null,
    bucket_by: body.bucket_by ?? null,
    ...(body.switchback ? { switchback: body.switchback } : {}),
    alpha: body.alpha ?? 0.05,
    correction: body.correction ?? ("HOLM" as const),
    allocation: body.allocation ?? ("FIXED" as const),
    mutual_exclusion_group_id: body.mutual_exclusion_group_id ?? null,
    planned_sample_size: body.planned_sample_size ?? null,
    group_sequential: body.group_sequential ?? null,
    ...(body.variance_reduction ? { variance_reduction: body.variance_reduction } : {}),
    tracker_issue_key: body.tracker_issue_key ?? null,
    crm_campaign_id: body.crm_campaign_id ?? null,
    code_pull_request: body.code_pull_request ?? null,
    schedule_error: null,
    winner: null,
    created_by: context.createdBy,
    started_at: null,
    ended_at: null,
    status_history: [{ status: "DRAFT" as const, at: context.now }],
  };
  requireOrder(experiment);
  requireFixedOnFlag(experiment);
  requireCovariates(experiment);
  requireSwitchback(experiment, flagOf(experiment, context.findFlag));
  return experiment;
}

/** Merges a body into an experiment, except `status`. @throws ApiError 400, 422 */
export function mergeExperiment(
  current: ExperimentRecord,
  body: ExperimentUpdate,
  findFlag: FlagLookup,
): ExperimentRecord {
  const { status: _, variants, metrics, ...rest } = body;
  const cleared: Partial<ExperimentRecord> = { description: "", hypothesis: "", rules: [] };
  const given = Object.entries(rest).filter(([, value]) => value !== undefined);
  const merged = {
    ...current,
    ...Object.fromEntries(
      given.map(([name, value]) => [name, value ?? cleared[name as keyof ExperimentRecord] ?? value]),
    ),
  } as ExperimentRecord;
  for (const optional of OPTIONAL) if (merged[optional] === null) delete merged[optional];
  if (metrics !== undefined) merged.metrics = toMetrics(metrics ?? []);
  const touchesDesign = [
    variants,
    body.experiment_type,
    body.split_url_config,
    body.factors,
    body.feature_flag_key,
  ].some((field) => field !== undefined);
  if (touchesDesign) {
    const kept = variants === undefined && !body.factors ? current.variants.map(toInput) : (variants ?? []);
    merged.variants = toVariants({ ...merged, variants: kept }, flagOf(merged, findFlag));
  }
  requireOrder(merged);
  requireFixedOnFlag(merged);
  requireCovariates(merged);
  requireSwitchback(merged, flagOf(merged, findFlag));
  requireChangeable(current, merged);
  return merged;
}

function requireChangeable(before: ExperimentRecord, after: ExperimentRecord): void {
  const { status } = before;
  if (status === "DRAFT") return;
  const frozen = STRUCTURE.filter((field) => !isDeepStrictEqual(before[field], after[field]));
  if (frozen.length > 0) throw badRequest(`${frozen.join(", ")} can change only in DRAFT; the experiment is ${status}`);
  if (status !== "COMPLETED" && status !== "ARCHIVED") return;
  if (!isDeepStrictEqual(before, after)) throw badRequest(`An experiment that is ${status} cannot change`);
}

function requireOrder({ start_date, end_date }: Pick<ExperimentRecord, "start_date" | "end_date">): void {
  if (start_date && end_date && end_date <= start_date) {
    throw invalid(["body", "end_date"], "end_date must be after start_date");
  }
}

function requireFixedOnFlag({
  allocation,
  feature_flag_key,
}: Pick<ExperimentRecord, "allocation" | "feature_flag_key">) {
  if (feature_flag_key && allocation !== "FIXED") {
    throw invalid(
      ["body", "allocation"],
      "An experiment on a feature flag uses the flag's weights, so allocation must be FIXED",
    );
  }
}

function flagOf({ feature_flag_key }: { feature_flag_key?: string | null | undefined }, findFlag: FlagLookup) {
  return feature_flag_key ? findFlag(feature_flag_key) : undefined;
}

function toInput({ key, name, weight, is_control, description, configuration }: ExperimentRecord["variants"][number]) {
  return { key, name, weight, is_control, description, configuration };
}

/** Metrics with ids: as given, or the slug of the name. @throws ApiError 422 for duplicate ids */
function toMetrics(given: NonNullable<ExperimentCreate["metrics"]>): ExperimentRecord["metrics"] {
  const seen = new Set<string>();
  return given.map(({ id: ownId, ...metric }, index) => {
    const id = ownId ?? toSlug(metric.name);
    if (seen.has(id)) throw invalid(["body", "metrics", index, "name"], `Two metrics have the id "${id}"`);
    seen.add(id);
    return { ...metric, id };
  });
}
