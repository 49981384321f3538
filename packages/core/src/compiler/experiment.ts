import type { ExperimentDefinition } from "../format/definition.ts";
import { isAbsent, toMessage } from "../format/definition-error.ts";
import type { Decision, ExperimentProgram, ExperimentReason, Outcome, Predicate, Step } from "../format/program.ts";
import { EVERYONE, type Participation, toExclusionSteps } from "./participation.ts";
import type { Lowered, Scope } from "./scope.ts";
import { toMembership } from "./segment.ts";
import { toDecision } from "./selection.ts";
import { readVariants } from "./variant.ts";

/**
 * Lowers an experiment. Never throws: an invalid experiment assigns no users.
 *
 * @param participation what keeps users out of it
 */
export function lowerExperiment(
  definition: ExperimentDefinition,
  participation: Participation = EVERYONE,
): Lowered<ExperimentProgram> {
  const scope: Scope = { references: [] };
  const { id, key, status, experiment_type, variants, feature_flag_key, bucket_by, targeting_rules } = Object(
    definition,
  ) as ExperimentDefinition;
  const program: ExperimentProgram = {
    id,
    key,
    revision: "",
    status,
    experiment_type,
    variants: [],
    feature_flag_key: feature_flag_key || undefined,
    bucket_by: bucket_by ?? undefined,
    sticky_assignment: targeting_rules?.sticky_assignment === false ? false : undefined,
    control: "",
    decision: { steps: [], otherwise: { reason: "ERROR" } },
  };
  const lowered: Lowered<ExperimentProgram> = { program, references: scope.references, requires: [], error: null };
  try {
    const arms = readVariants(variants);
    program.variants = (variants ?? []).map(({ key, url }) => ({ key, url }));
    program.control = variants?.find((variant) => variant.is_control)?.key ?? arms.keys[0] ?? "";
    program.decision = lower(definition, arms, program.control, participation, scope);
    // An inactive experiment answers NOT_RUNNING, regardless of what it refers to.
    if (status !== "ACTIVE") return { ...lowered, references: [] };
    return { ...lowered, requires: feature_flag_key ? [feature_flag_key] : [] };
  } catch (cause) {
    return { ...lowered, error: toMessage(cause) };
  }
}

function lower(
  definition: ExperimentDefinition,
  variants: ReturnType<typeof readVariants>,
  control: string,
  participation: Participation,
  scope: Scope,
): Decision<ExperimentReason> {
  const { key, status, bucket_by, targeting_rules, feature_flag_key: flagKey } = definition;
  const rejected: Outcome<ExperimentReason> = { reason: "TARGETING" };
  const decision = toDecision<ExperimentReason>(
    // An experiment over a flag takes its arms, rules and bucketing from the flag: drawing evaluates the flag.
    { key, bucket_by, targeting_rules, rules: flagKey ? [] : definition.rules },
    {
      variants: flagKey ? { keys: [flagKey], weights: [1] } : variants,
      ...toExclusionSteps(participation, { reason: "HOLDOUT" }, { reason: "EXCLUDED" }, rejected),
      overrides: lowerOverrides(definition, variants.keys, control, scope),
      outcome: (variant, _reason, _ruleId, forced) => {
        if (variant === undefined) return rejected;
        if (flagKey) return { reason: "FLAG" };
        return forced ? { variant, reason: "OVERRIDE", forced: true } : { variant, reason: "ASSIGNED" };
      },
      rejected,
    },
    scope,
  );
  return status === "ACTIVE" ? decision : { steps: [], otherwise: { reason: "NOT_RUNNING" } };
}

/**
 * Lowers forced arms, in order. A value names a variant by its key. True and false name `on` and `off` if these
 * variants exist (or none are listed), else the first variant that is not the control, and the control. A value that
 * names no variant is ignored.
 */
function lowerOverrides(
  { overrides }: ExperimentDefinition,
  keys: readonly string[],
  control: string,
  scope: Scope,
): Step<ExperimentReason>[] {
  return (overrides ?? []).flatMap(({ user_id, user_segment, value }): Step<ExperimentReason>[] => {
    const treatment = keys.find((key) => key !== control);
    const [name, fallback] = value === true ? ["on", treatment] : value === false ? ["off", control] : [value];
    const variant = keys.length === 0 ? name : (keys.find((known) => known === name) ?? fallback);
    if (typeof variant !== "string" || (!user_segment && isAbsent(user_id))) return [];
    const where: Predicate = user_segment ? toMembership(user_segment, scope) : ["users", [user_id!]];
    return [[where, { variant, reason: "OVERRIDE", forced: true }]];
  });
}
