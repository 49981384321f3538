import { notePrerequisite } from "#platform";
import { refuse } from "../targeting/definition-error.ts";
import { isSame } from "../targeting/equality.ts";
import { guardReentry } from "../targeting/reentry.ts";
import type { Test } from "../targeting/scope.ts";
import type { Prerequisite } from "./definition.ts";
import { drawn } from "./draw.ts";
import type { Environment } from "./environment.ts";
import type { EvaluationResult } from "./result.ts";

/**
 * Compiles prerequisites, all of which must hold; null where there are none. A flag that is missing, that fails its own prerequisites or that
 * answers an error satisfies none, whatever value it serves; so a cycle fails every flag on it. Without `variant`
 * and `value` the other flag has to be on.
 *
 * @throws DefinitionError or TypeError for what is not understood.
 */
export function compilePrerequisites(required: readonly Prerequisite[], environment: Environment): Test | null {
  for (const { flag_key } of required)
    if (typeof flag_key !== "string") refuse("Expected the flag_key of a prerequisite");
  if (required.length === 0) return null;
  return guardReentry((context, now, trace) => {
    const met = required.every((prerequisite) => {
      const result = environment.flag?.(prerequisite.flag_key)?.run(context, now, null);
      const isMet = result !== undefined && satisfies(result, prerequisite);
      notePrerequisite(trace, prerequisite, isMet, result);
      return isMet;
    });
    // The required flags left their own hash behind.
    drawn[0] = -1;
    return met;
  });
}

function satisfies(result: EvaluationResult, { variant, value }: Prerequisite): boolean {
  if (result.reason === "PREREQUISITE_FAILED" || result.reason === "ERROR") return false;
  if (variant === undefined && value === undefined) return result.enabled;
  return (variant === undefined || variant === result.variant) && (value === undefined || isSame(value, result.value));
}
