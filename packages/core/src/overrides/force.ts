import { isPlainBoolean, toArms } from "../format/arms.ts";
import type { JsonValue } from "../format/definition.ts";
import type { Outline } from "../format/outline.ts";
import type { EvaluationResult } from "../format/result.ts";
import { isSame } from "../values/equality.ts";
import type { Overrides } from "./token.ts";

type FlagOutline = Outline["flags"][number];

/**
 * Applies overrides to the result of a flag. A forced result has the reason TARGETING_MATCH and `forced`. Without a
 * matching override, returns the given result. Flags that require this one are evaluated without the override.
 *
 * @param definitions definitions or a program
 */
export function forceFlag(
  definitions: Outline,
  flagKey: string,
  overrides: Overrides | null | undefined,
  result: EvaluationResult,
): EvaluationResult {
  if (!overrides) return result;
  const flag = definitions.flags.find(({ key }) => key === flagKey);
  const arm = flag && forcedVariant(definitions, flag, overrides);
  const value = own(overrides.flags, flagKey);
  if (!flag || (arm === undefined && (value === undefined || !isOfType(flag, value)))) return result;
  const chosen = arm ?? toArms(flag).find((one) => isSame(one.value, value)) ?? { key: null, value };
  const forced: EvaluationResult = {
    value: chosen.value ?? null,
    variant: chosen.key,
    reason: "TARGETING_MATCH",
    enabled: typeof chosen.value === "boolean" ? chosen.value : true,
    rule_id: null,
    bucket: null,
    forced: true,
  };
  const step = { step: "OVERRIDE", subject: flagKey, matched: true, detail: "by the request" } as const;
  return result.trace ? { ...forced, trace: [step] } : forced;
}

/** Returns the key of the arm that a request forces in an experiment; undefined if the experiment has no such arm. */
export function forcedArm(
  {
    key,
    variants,
    feature_flag_key,
  }: Pick<Outline["experiments"][number], "key" | "feature_flag_key"> & { variants: readonly { key: string }[] },
  overrides: Overrides | null | undefined,
): string | undefined {
  if (!overrides) return undefined;
  const value = feature_flag_key ? own(overrides.flags, feature_flag_key) : undefined;
  const names = [
    own(overrides.experiments, key),
    feature_flag_key ? own(overrides.variants, feature_flag_key) : undefined,
    value === true ? "on" : value === false ? "off" : undefined,
  ];
  return names.find((name) => variants.some((variant) => variant.key === name));
}

function forcedVariant(definitions: Outline, flag: FlagOutline, overrides: Overrides) {
  const names = [own(overrides.variants, flag.key)];
  for (const { key, feature_flag_key } of definitions.experiments) {
    if (feature_flag_key === flag.key) names.push(own(overrides.experiments, key));
  }
  const arms = toArms(flag);
  return names.map((name) => arms.find(({ key }) => key === name)).find((arm) => arm !== undefined);
}

function isOfType(flag: FlagOutline, value: JsonValue): boolean {
  const type = flag.value_type ?? (isPlainBoolean(flag) ? "BOOLEAN" : undefined);
  if (type === undefined) return toArms(flag).some((arm) => typeof arm.value === typeof value);
  return value !== null && typeof value === type.toLowerCase();
}

/** Reads an own property: the object comes from a token, and a flag may be called `constructor`. */
function own<T>(values: Record<string, T> | undefined, key: string): T | undefined {
  return typeof values === "object" && values !== null && Object.hasOwn(values, key) ? values[key] : undefined;
}
