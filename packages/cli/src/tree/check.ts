import { type Definition, type Fields, listReferences } from "@assay/client/definitions";
import type { ExperimentDefinition, FlagDefinition, SegmentDefinition } from "@assay/core";
import { validateExperiment, validateFlag, validateSegment } from "@assay/core/server";
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
  return listReferences(fields).flatMap(({ kind, names, path }) =>
    names
      .filter((name) => !isKnown(kind, name))
      .map((name) => ({ path: [...path], message: `There is no ${kind} "${name}"` })),
  );
}
