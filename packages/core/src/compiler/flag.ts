import { isPlainBoolean, toArms } from "../format/arms.ts";
import type { FlagDefinition, FlagVariant, Prerequisite } from "../format/definition.ts";
import { refuse, toMessage } from "../format/definition-error.ts";
import type { FlagProgram, FlagReason, Outcome } from "../format/program.ts";
import { EVERYONE, type Participation, toExclusionSteps } from "./participation.ts";
import { type Describe, type Lowered, noted, type Scope } from "./scope.ts";
import { toDecision } from "./selection.ts";
import { readVariants } from "./variant.ts";

/**
 * Lowers a flag. Never throws: an invalid flag serves everyone the default.
 *
 * @param participation what keeps users out of it: that of the experiment over it
 * @param describe describes conditions, if the program is to explain its answers
 */
export function lowerFlag(
  definition: FlagDefinition,
  participation: Participation = EVERYONE,
  describe?: Describe,
): Lowered<FlagProgram> {
  const scope: Scope = { references: [], describe };
  const { key, version, metadata, bucket_by, value_type, default_value, defer_to_caller } = Object(
    definition,
  ) as FlagDefinition;
  const isBoolean = isPlainBoolean(definition);
  const program: FlagProgram = {
    key,
    revision: "",
    version,
    metadata,
    bucket_by: bucket_by ?? undefined,
    value_type: isBoolean ? "BOOLEAN" : value_type,
    default_value: defer_to_caller === true ? null : (default_value ?? (isBoolean ? false : null)),
    variants: [],
    control: "",
    decision: { steps: [], otherwise: { reason: "DEFAULT" } },
  };
  const lowered: Lowered<FlagProgram> = { program, references: scope.references, requires: [], error: null };
  try {
    const arms = toArms(definition);
    // Set first, because overrides may name variants of an invalid flag.
    program.variants = arms.map((arm) => ({ key: arm.key, value: arm.value ?? null }));
    const requires = readPrerequisites(definition);
    Object.assign(program, lower(definition, arms, requires, participation, scope));
    return { ...lowered, requires: requires.map(({ flag_key }) => flag_key) };
  } catch (cause) {
    const error = `Invalid flag ${JSON.stringify(key)}: ${toMessage(cause)}`;
    return { ...lowered, program: { ...program, error }, error };
  }
}

function lower(
  definition: FlagDefinition,
  arms: readonly FlagVariant[],
  requires: Prerequisite[],
  participation: Participation,
  scope: Scope,
): Pick<FlagProgram, "control" | "decision"> {
  const { key, enabled } = definition;
  if (typeof enabled !== "boolean") refuse("Expected enabled");
  const variants = readVariants(arms);
  // A boolean flag draws one arm, `on`; users outside it get `off`.
  const outside = isPlainBoolean(definition) ? "off" : undefined;
  const defers = definition.defer_to_caller === true;
  const control = outside ?? variants.keys[0] ?? refuse("Expected variants");
  const rejected: Outcome<FlagReason> = { reason: "DEFAULT" };
  const disabled: Outcome<FlagReason> = { reason: "DISABLED" };
  const exclusions = toExclusionSteps<FlagReason>(participation, { reason: "HOLDOUT" }, rejected, {
    reason: "KEY_MISSING",
  });
  if (requires.length > 0)
    exclusions.before.unshift([["not", ["requires", requires]], { reason: "PREREQUISITE_FAILED" }]);
  const decision = toDecision<FlagReason>(
    definition,
    {
      variants,
      ...exclusions,
      outcome: (variant, reason, rule_id, forced) => ({
        variant: variant ?? (defers && reason === "DEFAULT" ? undefined : outside),
        reason,
        rule_id,
        forced: forced || undefined,
      }),
      rejected,
    },
    scope,
  );
  if (scope.describe) {
    const status = noted(scope, [enabled ? "all" : "any", []], "STATUS", key, enabled ? "enabled" : "disabled");
    decision.steps.unshift([["not", status], disabled]);
  }
  return {
    control,
    decision: enabled || scope.describe ? decision : { steps: [], otherwise: disabled },
  };
}

/** @throws DefinitionError or TypeError for an invalid definition */
function readPrerequisites({ prerequisites }: FlagDefinition): Prerequisite[] {
  return (prerequisites ?? []).map(({ flag_key, ...wanted }) =>
    typeof flag_key === "string" ? { flag_key, ...wanted } : refuse("Expected the flag_key of a prerequisite"),
  );
}
