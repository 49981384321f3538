import type { ExperimentDefinition } from "../evaluation/definition.ts";
import type { Environment } from "../evaluation/environment.ts";
import { compileSelection, type Run } from "../evaluation/selection.ts";
import { readVariants, type VariantList } from "../evaluation/variant.ts";
import { isAbsent, toMessage } from "../targeting/definition-error.ts";
import type { Scope, Test } from "../targeting/scope.ts";
import { createSegmentTest } from "../targeting/segment.ts";
import { type Assignment, type AssignmentReason, toAssignment } from "./assignment.ts";
import { createGate, type Participation, toParticipation } from "./participation.ts";

/** An experiment compiled to one function; ask it through `assign`. */
export interface CompiledExperiment {
  readonly key: string;
  readonly definition: ExperimentDefinition;
  /** What keeps users out of it. */
  readonly participation: Participation;
  /** What was not understood, else null; such an experiment assigns nobody. */
  readonly error: string | null;
  /** Ids or names of the segments it refers to. */
  readonly references: readonly string[];
  /** Key of the control variant, empty where there are no variants. */
  readonly control: string;
  readonly run: Run<Assignment>;
}

/** Compiles an experiment definition for `assign`. Never throws: what is not understood assigns nobody. */
export function compileExperiment(definition: ExperimentDefinition, environment: Environment = {}): CompiledExperiment {
  const participation = toParticipation(definition, environment.holdout, environment.group);
  return compileExperimentFor(definition, environment, participation);
}

/** {@link compileExperiment} where the participation is known already. */
export function compileExperimentFor(
  definition: ExperimentDefinition,
  environment: Environment,
  participation: Participation,
): CompiledExperiment {
  const scope: Scope = { segment: environment.segment, now: environment.now, references: [] };
  const compiled = { key: definition?.key, definition, participation, references: scope.references };
  let control = "";
  try {
    const variants = readVariants(definition.variants);
    const declared = definition.variants?.find((variant) => variant.is_control)?.key;
    control = declared ?? variants.keys[0] ?? "";
    const run = compileRun(definition, variants, control, environment, participation, scope);
    return { ...compiled, control, error: null, run };
  } catch (cause) {
    const failed = toAssignment(control, "ERROR");
    return { ...compiled, control, error: toMessage(cause), run: () => failed };
  }
}

function compileRun(
  definition: ExperimentDefinition,
  variants: VariantList,
  control: string,
  environment: Environment,
  participation: Participation,
  scope: Scope,
): Run<Assignment> {
  const { key, status, bucket_by, targeting_rules, feature_flag_key: flagKey } = definition;
  const none = (reason: AssignmentReason) => toAssignment(control, reason);
  const notRunning = none("NOT_RUNNING");
  const rejected = none("TARGETING");
  const gate = createGate(participation, none("HOLDOUT"), none("EXCLUDED"), rejected);
  const overrides = compileOverrides(definition, variants.keys, control, scope);
  // Arms, rules and bucketing of an experiment over a flag are the flag's: being drawn then means asking the flag.
  const select = compileSelection<Assignment | null>(
    { key, bucket_by, targeting_rules, rules: flagKey ? [] : definition.rules },
    {
      variants: flagKey ? { keys: [flagKey], weights: [1] } : variants,
      gated: true,
      overrides: (context, now, trace) => overrides.find(({ test }) => test(context, now, trace))?.assignment ?? null,
      outcome: (variant, _reason, _ruleId, forced) => {
        if (variant === null) return rejected;
        return flagKey ? null : toAssignment(variant, forced ? "OVERRIDE" : "ASSIGNED", forced);
      },
      rejected,
      keyMissing: rejected,
    },
    scope,
  );
  const askFlag: Run<Assignment> = (context, now, trace) => {
    const served = environment.flag?.(flagKey ?? "")?.run(context, now, trace);
    if (!served || served.variant === null) return rejected;
    return toAssignment(served.variant, served.forced ? "OVERRIDE" : "ASSIGNED", served.forced);
  };

  const decide: Run<Assignment> = (context, now, trace) => {
    if (status !== "ACTIVE") return notRunning;
    return gate?.(context, trace) ?? select(context, now, trace) ?? askFlag(context, now, trace);
  };
  if (control !== "" || !flagKey) return decide;
  return (context, now, trace) => {
    const assignment = decide(context, now, trace);
    if (assignment.assigned) return assignment;
    return toAssignment(environment.flag?.(flagKey)?.control ?? "", assignment.reason);
  };
}

/**
 * Compiles forced arms, in order. A value names a variant by its key; true and false name `on` and `off` where
 * there are such variants (or none are listed), else the first variant that is not the control, and the control.
 * A value that names none is passed over.
 */
function compileOverrides(
  { overrides }: ExperimentDefinition,
  keys: readonly string[],
  control: string,
  scope: Scope,
): { test: Test; assignment: Assignment }[] {
  return (overrides ?? []).flatMap(({ user_id, user_segment, value }) => {
    const name = value === true ? "on" : value === false ? "off" : value;
    const treatment = keys.find((key) => key !== control);
    const fallback = value === true ? treatment : value === false ? control : undefined;
    const key = keys.length === 0 ? name : (keys.find((known) => known === name) ?? fallback);
    if (typeof key !== "string") return [];
    const test: Test = user_segment
      ? createSegmentTest(user_segment, scope)
      : (context) => !isAbsent(user_id) && context.targetingKey === user_id;
    return [{ test, assignment: toAssignment(key, "OVERRIDE", true) }];
  });
}
