import type { Condition, FlagRule } from "@assay/core";
import { listSegmentReferences } from "@assay/core/server";
import type { Fields } from "./definition.ts";

/** A place in a definition that names segments or flags. */
export interface Reference {
  kind: "segment" | "flag";
  names: readonly string[];
  path: readonly (string | number)[];
}

/** Returns the segments and flags to which the fields of a definition refer: segments first. */
export function listReferences(fields: Fields): Reference[] {
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
  return [
    ...segments.map((one) => ({ ...one, kind: "segment" as const })),
    ...flags.map((one) => ({ ...one, kind: "flag" as const })),
  ];
}
