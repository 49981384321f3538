import { decodePointer, isJsonObject, type JsonSchema, jsonTypeOf } from "@assay/core/schema";
import { TEXT } from "../../text.ts";

export type Json = Parameters<typeof jsonTypeOf>[0];
export type Keywords = Exclude<JsonSchema, boolean>;
type Named = Record<string, JsonSchema>;

/** One of the forms that a value may have. */
export interface Choice {
  label: string;
  schema: Keywords;
}

/** A schema with what its references and `allOf` say, as far as a form shows it. */
export function flatten(schema: JsonSchema, schemas: ReadonlyMap<string, JsonSchema>): Keywords {
  if (typeof schema === "boolean") return {};
  const { $ref, allOf = [], ...own } = schema;
  const target = $ref === undefined ? undefined : schemas.get(decodePointer(String($ref)));
  const parts = [...(target === undefined ? [] : [target]), ...(allOf as JsonSchema[])];
  return parts.map((part) => flatten(part, schemas)).reduce(merge, own);
}

function merge(own: Keywords, part: Keywords): Keywords {
  const properties = { ...(part.properties as Named), ...(own.properties as Named) };
  const required = [...new Set([...propertyList(own), ...propertyList(part)])];
  return {
    ...part,
    ...own,
    ...(Object.keys(properties).length > 0 ? { properties: properties as Keywords[string] } : {}),
    ...(required.length > 0 ? { required } : {}),
  };
}

/** The names that an object must have. */
export const propertyList = ({ required = [] }: Keywords) => required as string[];

/** The properties that a schema knows. */
export const propertiesOf = ({ properties = {} }: Keywords) => Object.entries(properties as Named);

/** The schema of an item of a list. */
export function itemSchema({ prefixItems = [], items = true }: Keywords, index: number): JsonSchema {
  return ((prefixItems as JsonSchema[])[index] ?? items) as JsonSchema;
}

/** The forms that a value may have: the alternatives of its schema, each with one type. */
export function choicesOf(schema: Keywords, schemas: ReadonlyMap<string, JsonSchema>): Choice[] {
  const { anyOf, oneOf, ...rest } = schema;
  const alternatives = (anyOf ?? oneOf) as JsonSchema[] | undefined;
  if (alternatives) {
    return alternatives.flatMap((one) => choicesOf(merge(flatten(one, schemas), rest), schemas));
  }
  if (schema.enum !== undefined || schema.const !== undefined) return [{ label: labelOf(schema, "choice"), schema }];
  const types = [schema.type ?? impliedType(schema) ?? "any"].flat() as (keyof typeof TEXT.schema.types)[];
  return types.map((type) => ({
    label: types.length === 1 ? labelOf(schema, type) : TEXT.schema.types[type],
    schema: { ...schema, type },
  }));
}

function labelOf({ title }: Keywords, type: keyof typeof TEXT.schema.types): string {
  return typeof title === "string" ? title : TEXT.schema.types[type];
}

function impliedType({ properties, required, items, prefixItems }: Keywords): string | undefined {
  if (properties !== undefined || required !== undefined) return "object";
  return items !== undefined || prefixItems !== undefined ? "array" : undefined;
}

/** The values of a list of constants. */
export const constantsOf = (schema: Keywords): Json[] | undefined =>
  schema.const === undefined ? (schema.enum as Json[] | undefined) : [schema.const];

/** Whether a value has the form of a choice: its type, and its fixed properties. */
export function hasForm(value: Json, schema: Keywords): boolean {
  const constants = constantsOf(schema);
  if (constants) return constants.some((one) => JSON.stringify(one) === JSON.stringify(value));
  const actual = jsonTypeOf(value);
  if (schema.type !== actual && !(schema.type === "number" && actual === "integer")) return schema.type === "any";
  if (!isJsonObject(value)) return true;
  return propertiesOf(schema).every(
    ([name, one]) =>
      typeof one === "boolean" || one.const === undefined || !(name in value) || value[name] === one.const,
  );
}

/** A first value for a schema: its default, or one with all that is required. */
export function firstValue(schema: JsonSchema, schemas: ReadonlyMap<string, JsonSchema>, depth = 0): Json {
  const flat = flatten(schema, schemas);
  if (flat.default !== undefined) return flat.default;
  const [choice] = choicesOf(flat, schemas);
  const constants = constantsOf(choice!.schema);
  if (constants) return constants[0]!;
  switch (choice!.schema.type) {
    case "object": {
      // A schema may require itself, without end.
      const names = depth < 10 ? propertyList(choice!.schema) : [];
      const known = new Map(propertiesOf(choice!.schema));
      return Object.fromEntries(names.map((name) => [name, firstValue(known.get(name) ?? true, schemas, depth + 1)]));
    }
    case "array":
      return [];
    case "boolean":
      return false;
    case "number":
    case "integer":
      return Number(choice!.schema.minimum ?? 0);
    case "string":
      return "";
    default:
      return null;
  }
}
