import { type Definition, type Fields, listReferences } from "@assay/client/definitions";
import type { ExperimentDefinition, FlagDefinition, JsonValue, SegmentDefinition } from "@assay/core";
import { createValidator, createWork, type JsonSchema } from "@assay/core/schema";
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

function findOtherTypes(fields: Fields): Fault[] {
  const { value_type, value_schema, defer_to_caller } = fields;
  const faults = valuesOf(fields)
    .filter(([, value]) => typeOf(value) !== value_type)
    .map(([path]) => ({ path, message: `Expected a value of type ${value_type}` }));
  if (defer_to_caller && value_type !== "BOOLEAN") {
    faults.push({ path: ["defer_to_caller"], message: "Only for boolean flags" });
  }
  if (value_schema && value_type !== "OBJECT") {
    faults.push({ path: ["value_schema"], message: "Only for flags of type OBJECT" });
  }
  return value_schema && faults.length === 0 ? findOtherForms(fields) : faults;
}

/** Returns what of the values the flag's own schema refuses. The schema itself is valid. */
function findOtherForms(fields: Fields): Fault[] {
  const validate = createValidator(fields.value_schema as JsonSchema);
  const work = createWork();
  return valuesOf(fields).flatMap(([place, value]) =>
    validate(value as JsonValue, work).map(({ path, message }) => ({ path: [...place, ...path], message })),
  );
}

/** Returns the values that a flag serves, each with its path. A default of null is none. */
function valuesOf({ variants, default_value }: Fields): [Fault["path"], unknown][] {
  return [
    ...((variants ?? []) as { value: unknown }[]).map(({ value }, index): [Fault["path"], unknown] => [
      ["variants", index, "value"],
      value,
    ]),
    ...(default_value === null ? [] : [[["default_value"], default_value] as [Fault["path"], unknown]]),
  ];
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
