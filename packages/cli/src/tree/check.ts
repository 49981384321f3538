import type { Condition, ExperimentDefinition, FlagDefinition, FlagRule, SegmentDefinition } from "@assay/core";
import { listSegmentReferences, validateExperiment, validateFlag, validateSegment } from "@assay/core/server";
import type { Definition, Fields } from "../definitions/definition.ts";
import { typeOf } from "./complete.ts";
import type { Fault } from "./shape.ts";

/** Returns what an evaluator would reject. */
export function findFaults({ kind, key, fields }: Definition): Fault[] {
  const whole: unknown = { ...fields, id: key, enabled: true, status: "DRAFT", variants: fields.variants ?? [] };
  if (kind === "experiment") return validateExperiment(whole as ExperimentDefinition);
  if (kind === "flag") return [...validateFlag(whole as FlagDefinition), ...findOtherTypes(fields)];
  const segment: unknown = { id: key, name: key, user_ids: fields.user_ids, when: fields.conditions };
  return validateSegment(segment as SegmentDefinition).map(({ path: [, ...rest], message }) => ({
    path: ["conditions", ...rest],
    message,
  }));
}

function findOtherTypes({ value_type, variants, default_value, defer_to_caller }: Fields): Fault[] {
  const values: [Fault["path"], unknown][] = [
    ...((variants ?? []) as { value: unknown }[]).map(({ value }, index): [Fault["path"], unknown] => [
      ["variants", index, "value"],
      value ?? "null",
    ]),
    [["default_value"], default_value],
  ];
  const faults = values
    .filter(([, value]) => value !== null && typeOf(value) !== value_type)
    .map(([path]) => ({ path, message: `Expected a value of type ${value_type}` }));
  if (!defer_to_caller || value_type === "BOOLEAN") return faults;
  return [...faults, { path: ["defer_to_caller"], message: "Only for boolean flags" }];
}

/** Returns the references to segments and flags that are not known. @param isKnown by kind and name */
export function findMissing(
  { fields }: Definition,
  isKnown: (kind: "segment" | "flag", name: string) => boolean,
): Fault[] {
  const { targeting_rules, rules, prerequisites, overrides, conditions, feature_flag_key } = fields;
  const { user_segments = [] } = (targeting_rules ?? {}) as { user_segments?: string[] };
  const segments = [
    ...user_segments.map((name, index) => ({ names: [name], path: ["targeting_rules", "user_segments", index] })),
    ...((rules ?? []) as FlagRule[]).flatMap(({ when }, index) =>
      listSegmentReferences(when, ["rules", index, "when"]),
    ),
    ...listSegmentReferences((conditions ?? null) as Condition | null, ["conditions"]),
    ...((overrides ?? []) as { user_segment?: string }[]).map(({ user_segment }, index) => ({
      names: user_segment === undefined ? [] : [user_segment],
      path: ["overrides", index, "user_segment"],
    })),
  ];
  const flags = [
    ...((prerequisites ?? []) as { flag_key: string }[]).map(({ flag_key }, index) => ({
      names: [flag_key],
      path: ["prerequisites", index, "flag_key"],
    })),
    ...(typeof feature_flag_key === "string" ? [{ names: [feature_flag_key], path: ["feature_flag_key"] }] : []),
  ];
  const missing = (kind: "segment" | "flag") =>
    (kind === "segment" ? segments : flags).flatMap(({ names, path }) =>
      names.filter((name) => !isKnown(kind, name)).map((name) => ({ path, message: `There is no ${kind} "${name}"` })),
    );
  return [...missing("segment"), ...missing("flag")];
}
