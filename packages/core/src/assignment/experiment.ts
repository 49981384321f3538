import type { ExperimentDefinition } from "../evaluation/definition.ts";
import { drawn } from "../evaluation/draw.ts";
import type { Environment } from "../evaluation/environment.ts";
import { compileSelection, type Run } from "../evaluation/selection.ts";
import { readVariants, type VariantList } from "../evaluation/variant.ts";
import { isSame } from "../targeting/equality.ts";
import { isAbsent, isRecord, isString, own, type Problem } from "../targeting/problem.ts";
import { createScope, type Scope, type Test } from "../targeting/scope.ts";
import { createSegmentTest } from "../targeting/segment.ts";
import { type Assignment, type AssignmentReason, toAssignment } from "./assignment.ts";
import { createGate, type Participation, toParticipation } from "./participation.ts";

/** An experiment compiled to one function; ask it through `assign`. */
export interface CompiledExperiment {
  readonly key: string;
  readonly definition: ExperimentDefinition;
  /** What could not be understood; such an experiment assigns nobody. */
  readonly problems: readonly Problem[];
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
  participation: Participation | null,
): CompiledExperiment {
  const scope = createScope(environment);
  const { problems, references } = scope;
  const source: unknown = definition;
  const fields = isRecord(source) ? source : {};
  if (!isRecord(source)) problems.push({ path: [], message: "Expected an experiment" });
  const variants = readVariants(own(fields, "variants"), ["variants"], problems);
  const listed = own(fields, "variants");
  const declared = Array.isArray(listed)
    ? listed.findIndex((variant) => isRecord(variant) && variant.is_control === true)
    : -1;
  const control = variants.keys[Math.max(declared, 0)] ?? "";
  const run = compileRun(definition, fields, variants, control, environment, participation, scope);
  const failed = toAssignment(control, "ERROR");
  const key = definition?.key;
  return { key, definition, problems, references, control, run: problems.length > 0 ? () => failed : run };
}

function compileRun(
  definition: ExperimentDefinition,
  fields: Record<string, unknown>,
  variants: VariantList,
  control: string,
  environment: Environment,
  participation: Participation | null,
  scope: Scope,
): Run<Assignment> {
  const key = own(fields, "key");
  const bucketBy = own(fields, "bucket_by");
  const flagKey = own(fields, "feature_flag_key");
  if (!isString(key)) scope.problems.push({ path: ["key"], message: "Expected a string" });
  if (!isAbsent(bucketBy) && !isString(bucketBy)) {
    scope.problems.push({ path: ["bucket_by"], message: "Expected an attribute" });
  }
  const none = (reason: AssignmentReason) => toAssignment(control, reason);
  const [notRunning, heldOut, excluded, rejected] = [
    none("NOT_RUNNING"),
    none("HOLDOUT"),
    none("EXCLUDED"),
    none("TARGETING"),
  ];
  const gate = participation === null ? null : createGate(participation);
  // Arms, rules and bucketing of an experiment over a flag are the flag's: "drawn" then means asking the flag.
  const isOverFlag = isString(flagKey) && flagKey !== "";
  const select = compileSelection<Assignment | null>(
    {
      key: String(key),
      bucketBy: isString(bucketBy) ? bucketBy : null,
      variants: isOverFlag ? { keys: [flagKey], weights: [1] } : variants,
      rollout: 100,
      targeting: own(fields, "targeting_rules"),
      rules: isOverFlag ? null : own(fields, "rules"),
      rulesEnabled: true,
      gated: true,
      overrides: compileOverrides(own(fields, "overrides"), definition, variants.keys, control, scope),
      outcome: ({ index, forced }) => {
        if (index < 0) return rejected;
        return isOverFlag
          ? null
          : toAssignment(variants.keys[index] ?? control, forced ? "OVERRIDE" : "ASSIGNED", forced);
      },
      rejected,
      keyMissing: rejected,
    },
    scope,
  );

  const decide: Run<Assignment> = (context, now, trace) => {
    if (definition.status !== "ACTIVE") return notRunning;
    if (gate !== null) {
      const refusal = gate(context, trace);
      if (refusal !== null) return refusal === "HOLDOUT" ? heldOut : refusal === "EXCLUDED" ? excluded : rejected;
    }
    const assignment = select(context, now, trace);
    if (assignment !== null) return assignment;
    drawn[0] = -1;
    const served = environment.flag?.(String(flagKey))?.run(context, now, trace);
    if (served === undefined || served.variant === null) return rejected;
    return toAssignment(served.variant, served.forced ? "OVERRIDE" : "ASSIGNED", served.forced);
  };
  if (!isOverFlag || control !== "") return decide;
  return (context, now, trace) => {
    const assignment = decide(context, now, trace);
    if (assignment.assigned) return assignment;
    return toAssignment(environment.flag?.(flagKey)?.control ?? "", assignment.reason);
  };
}

/**
 * Compiles forced arms, in order. A value names a variant by key, by its configuration, or as a boolean: `on` or
 * `off` where there are such variants, else true is the treatment of two variants and false the control. A value
 * that names none is passed over.
 */
function compileOverrides(
  listed: unknown,
  definition: ExperimentDefinition,
  keys: readonly string[],
  control: string,
  scope: Scope,
): Run<Assignment | null> | null {
  if (isAbsent(listed)) return null;
  if (!Array.isArray(listed)) {
    scope.problems.push({ path: ["overrides"], message: "Expected a list of overrides" });
    return null;
  }
  const toKey = (value: unknown): string | undefined => {
    const name = value === true ? "on" : value === false ? "off" : value;
    if (isString(name) && (keys.includes(name) || keys.length === 0)) return name;
    const index = keys.findIndex((_, at) => isSame(definition.variants[at]?.configuration, value));
    if (index >= 0 || typeof value !== "boolean" || keys.length !== 2) return keys[index];
    return value ? keys.find((key) => key !== control) : control;
  };
  const overrides: { test: Test; assignment: Assignment }[] = [];
  listed.forEach((override: unknown, index) => {
    if (!isRecord(override)) {
      scope.problems.push({ path: ["overrides", index], message: "Expected an override" });
      return;
    }
    const key = toKey(own(override, "value"));
    if (key === undefined) return;
    const assignment = toAssignment(key, "OVERRIDE", true);
    const [userId, segment] = [own(override, "user_id"), own(override, "user_segment")];
    if (isString(userId)) overrides.push({ test: (context) => context.targetingKey === userId, assignment });
    if (isString(segment)) overrides.push({ test: createSegmentTest([segment], scope), assignment });
  });
  if (overrides.length === 0) return null;
  return (context, now, trace) => overrides.find(({ test }) => test(context, now, trace))?.assignment ?? null;
}
