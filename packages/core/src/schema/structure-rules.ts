import type { JsonValue } from "../format/definition.ts";
import { createMatcher } from "./scalar-rules.ts";
import { isObject, type JsonSchema } from "./schema.ts";
import { type Check, type Compile, canonicalText, type Place, type Run, report } from "./value-check.ts";

type Named = Record<string, JsonSchema>;
type Rule = (operand: never, compile: Compile, around: Record<string, JsonValue>) => Check;

/** A check of values that are already known to be objects or arrays. */
type PartCheck<T> = (value: T, place: Place, run: Run) => void;

const inObjects =
  (check: PartCheck<Record<string, JsonValue>>): Check =>
  (value, place, run) => {
    if (isObject(value)) check(value as Record<string, JsonValue>, place, run);
  };
const inArrays =
  (check: PartCheck<JsonValue[]>): Check =>
  (value, place, run) => {
    if (Array.isArray(value)) check(value, place, run);
  };

const sized =
  (isRight: (size: number) => boolean, message: string, of: "items" | "properties"): Check =>
  (value, place, run) => {
    if (of === "items" ? !Array.isArray(value) : !isObject(value)) return;
    if (!isRight(Object.keys(value as object).length)) report(run, place, message);
  };
const atLeast = (of: "items" | "properties") => (least: number) =>
  sized((size) => size >= least, `Must have at least ${least} ${of}`, of);
const atMost = (of: "items" | "properties") => (most: number) =>
  sized((size) => size <= most, `Must have at most ${most} ${of}`, of);

export const STRUCTURE_RULES: Readonly<Record<string, Rule>> = {
  properties: (operand: Named, compile) => {
    const checks = Object.entries(operand).map(([name, schema]) => [name, compile.schema(schema)] as const);
    return inObjects((value, place, run) => {
      for (const [name, check] of checks) {
        if (Object.hasOwn(value, name)) check(value[name]!, { name, around: place }, run);
      }
    });
  },
  patternProperties: (operand: Named, compile) => {
    const checks = Object.entries(operand).map(
      ([source, schema]) => [createMatcher(source), compile.schema(schema)] as const,
    );
    return inObjects((value, place, run) => {
      for (const [name, part] of Object.entries(value)) {
        for (const [matches, check] of checks) {
          if (matches(name, run.work.spend)) check(part, { name, around: place }, run);
        }
      }
    });
  },
  additionalProperties: (operand: JsonSchema, compile, around) => {
    const known = Object.keys((around.properties ?? {}) as object);
    const isKnown = new Set(known);
    const patterns = Object.keys((around.patternProperties ?? {}) as object).map(createMatcher);
    const check = compile.schema(operand);
    const listed = known.slice(0, 10).map((name) => JSON.stringify(name));
    const more = known.length > 10 ? ", …" : "";
    const unknown = known.length > 0 ? `Unknown property; known are ${listed.join(", ")}${more}` : "Unknown property";
    return inObjects((value, place, run) => {
      for (const [name, part] of Object.entries(value)) {
        if (isKnown.has(name) || patterns.some((matches) => matches(name, run.work.spend))) continue;
        if (operand === false) report(run, { name, around: place }, unknown);
        else check(part, { name, around: place }, run);
      }
    });
  },
  propertyNames: (operand: JsonSchema, compile) => {
    const check = compile.schema(operand);
    return inObjects((value, place, run) => {
      for (const name of Object.keys(value)) check(name, { name, around: place }, run);
    });
  },
  required: (names: string[]) =>
    inObjects((value, place, run) => {
      for (const name of names) if (!Object.hasOwn(value, name)) report(run, { name, around: place }, "Field required");
    }),
  dependentRequired: (operand: Record<string, string[]>) =>
    inObjects((value, place, run) => {
      for (const [given, names] of Object.entries(operand)) {
        if (!Object.hasOwn(value, given)) continue;
        for (const name of names) {
          if (!Object.hasOwn(value, name)) report(run, { name, around: place }, `Field required with "${given}"`);
        }
      }
    }),
  minProperties: atLeast("properties"),
  maxProperties: atMost("properties"),
  minItems: atLeast("items"),
  maxItems: atMost("items"),
  prefixItems: (operand: JsonSchema[], compile) => {
    const checks = operand.map(compile.schema);
    return inArrays((value, place, run) => {
      for (const [name, check] of checks.entries()) {
        if (name < value.length) check(value[name]!, { name, around: place }, run);
      }
    });
  },
  items: (operand: JsonSchema, compile, around) => {
    const first = Array.isArray(around.prefixItems) ? around.prefixItems.length : 0;
    const check = compile.schema(operand);
    return inArrays((value, place, run) => {
      for (let name = first; name < value.length; name += 1) check(value[name]!, { name, around: place }, run);
    });
  },
  uniqueItems: (isOn: boolean) =>
    inArrays((value, place, run) => {
      if (!isOn) return;
      const seen = new Map<string, number>();
      for (const [index, item] of value.entries()) {
        const written = canonicalText(item);
        run.work.spend(written.length);
        const first = seen.get(written);
        if (first === undefined) seen.set(written, index);
        else report(run, { name: index, around: place }, `Must differ from item ${first + 1}`);
      }
    }),
};
