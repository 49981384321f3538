import { EVERYONE, type Participation, toGate } from "../assignment/participation.ts";
import type { FlagProgram, FlagReason, Outcome, Step } from "../program/program.ts";
import { refuse, toMessage } from "../targeting/definition-error.ts";
import { noted, type Scope } from "../targeting/scope.ts";
import type { FlagDefinition, JsonValue } from "./definition.ts";
import { toDecision } from "./selection.ts";
import { isPlainBoolean, readVariants, toArms } from "./variant.ts";

/**
 * Lowers a flag. Never throws: one that is not understood serves everyone the default.
 *
 * @param participation what keeps users out of it: that of the experiment over it
 * @param explains whether the program is to explain its answers
 */
export function toFlagProgram(
  definition: FlagDefinition,
  participation: Participation = EVERYONE,
  explains = false,
): FlagProgram {
  const scope: Scope = { references: [], explains };
  const { key, version, bucket_by, value_type, default_value } = Object(definition) as FlagDefinition;
  const isBoolean = isPlainBoolean(definition);
  const program: FlagProgram = {
    key,
    revision: "",
    ...(version === undefined ? {} : { version }),
    ...(typeof bucket_by === "string" ? { bucket_by } : {}),
    ...(isBoolean ? { value_type: "BOOLEAN" } : value_type === undefined ? {} : { value_type }),
    default_value: default_value ?? (isBoolean ? false : null),
    variants: [],
    control: "",
    requires: [],
    references: scope.references,
    decision: { steps: [], otherwise: { reason: "DEFAULT" } },
  };
  try {
    return { ...program, ...lower(definition, participation, program.default_value, scope) };
  } catch (cause) {
    return { ...program, error: `Flag ${JSON.stringify(key)} is not understood: ${toMessage(cause)}` };
  }
}

function lower(
  definition: FlagDefinition,
  participation: Participation,
  _defaultValue: JsonValue,
  scope: Scope,
): Pick<FlagProgram, "variants" | "control" | "requires" | "decision"> {
  const { key, enabled } = definition;
  if (typeof enabled !== "boolean") refuse("Expected enabled");
  const arms = toArms(definition);
  const variants = readVariants(arms);
  // A boolean flag has one arm that is drawn, `on`; what is left of the line is `off`.
  const outside = isPlainBoolean(definition) ? "off" : undefined;
  const control = outside ?? variants.keys[0] ?? refuse("Expected variants");
  const rejected: Outcome<FlagReason> = { reason: "DEFAULT" };
  const disabled: Outcome<FlagReason> = { reason: "DISABLED" };
  const requires = definition.prerequisites ?? [];
  for (const { flag_key } of requires) {
    if (typeof flag_key !== "string") refuse("Expected the flag_key of a prerequisite");
  }
  const before: Step<FlagReason>[] = toGate(participation, { reason: "HOLDOUT" }, rejected, { reason: "KEY_MISSING" });
  if (requires.length > 0) {
    const prerequisites = requires.map(({ flag_key, variant, value }) => ({
      flag_key,
      ...(variant === undefined ? {} : { variant }),
      ...(value === undefined ? {} : { value }),
    }));
    before.unshift([["not", ["requires", prerequisites]], { reason: "PREREQUISITE_FAILED" }]);
  }
  const decision = toDecision<FlagReason>(
    definition,
    {
      variants,
      before,
      outcome: (variant = outside, reason, rule_id, forced) => toOutcome(variant, reason, rule_id, forced),
      rejected,
    },
    scope,
  );
  if (scope.explains) {
    const status = noted(scope, [enabled ? "all" : "any", []], "STATUS", key, enabled ? "enabled" : "disabled");
    decision.steps.unshift([["not", status], disabled]);
  }
  return {
    variants: arms.map((arm) => ({ key: arm.key, value: arm.value ?? null })),
    control,
    requires: requires.map(({ flag_key }) => flag_key),
    decision: enabled || scope.explains ? decision : { steps: [], otherwise: disabled },
  };
}

function toOutcome(
  variant: string | undefined,
  reason: FlagReason,
  rule_id: string | undefined,
  forced: boolean,
): Outcome<FlagReason> {
  return {
    ...(variant === undefined ? {} : { variant }),
    reason,
    ...(rule_id === undefined ? {} : { rule_id }),
    ...(forced ? { forced } : {}),
  };
}
