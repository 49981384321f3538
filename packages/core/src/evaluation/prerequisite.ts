import { isSame } from "../targeting/equality.ts";
import { isAbsent, isRecord, isString, own, type Path, type Problem } from "../targeting/problem.ts";
import type { Environment } from "./environment.ts";
import type { Run } from "./selection.ts";

/** Another flag and what it must have served. */
interface Required {
  flagKey: string;
  holds: (variant: string | null, value: unknown, enabled: boolean) => boolean;
}

/** Prerequisites, compiled: `keys` are the flags they name, `test` is null where there are none. */
export interface CompiledPrerequisites {
  keys: string[];
  test: Run<boolean> | null;
}

/**
 * Compiles prerequisites, all of which must hold. A flag that is missing, that fails its own prerequisites or that
 * answers an error satisfies none, whatever value it serves; so a cycle fails every flag on it. Without `variant`
 * and `value` the other flag has to be on.
 */
export function compilePrerequisites(
  value: unknown,
  environment: Environment,
  path: Path,
  problems: Problem[],
): CompiledPrerequisites {
  if (isAbsent(value)) return { keys: [], test: null };
  if (!Array.isArray(value)) {
    problems.push({ path: [...path], message: "Expected a list of prerequisites" });
    return { keys: [], test: null };
  }
  const required: Required[] = [];
  value.forEach((item: unknown, index) => {
    const flagKey = isRecord(item) ? own(item, "flag_key") : undefined;
    if (!isRecord(item) || !isString(flagKey)) {
      problems.push({ path: [...path, index, "flag_key"], message: "Expected the key of a flag" });
      return;
    }
    const [variant, wanted] = [own(item, "variant"), own(item, "value")];
    required.push({
      flagKey,
      holds: (served, actual, enabled) =>
        isAbsent(variant) && wanted === undefined
          ? enabled
          : (isAbsent(variant) || served === variant) && (wanted === undefined || isSame(actual, wanted)),
    });
  });
  if (required.length === 0) return { keys: [], test: null };

  // Set while the required flags are asked: being asked meanwhile means that this flag requires itself.
  let asking = false;
  const test: Run<boolean> = (context, now, trace) => {
    if (asking) return false;
    asking = true;
    try {
      for (const { flagKey, holds } of required) {
        const result = environment.flag?.(flagKey)?.run(context, now, null);
        const matched =
          result !== undefined &&
          result.reason !== "PREREQUISITE_FAILED" &&
          result.reason !== "ERROR" &&
          holds(result.variant, result.value, result.enabled);
        if (trace !== null) {
          const detail =
            result === undefined ? "no such flag" : `served ${JSON.stringify(result.value)}, ${result.reason}`;
          trace.push({ step: "PREREQUISITE", subject: flagKey, matched, detail });
        }
        if (!matched) return false;
      }
      return true;
    } finally {
      asking = false;
    }
  };
  return { keys: required.map(({ flagKey }) => flagKey), test };
}
