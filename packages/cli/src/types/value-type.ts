import { decodePointer, isJsonObject, type JsonSchema, listSchemas } from "@assay/core/schema";

type Keywords = Exclude<JsonSchema, boolean>;

/** A type of TypeScript, and the declarations that it refers to. */
export interface ValueType {
  type: string;
  declarations: string[];
}

/**
 * Returns the TypeScript type of the values that a schema accepts. It is as narrow as TypeScript can say: patterns, lengths,
 * ranges and conditions do not show in it.
 *
 * @param name of the type of the whole value, which is declared
 * @param taken names of other types; the new ones are added
 */
export function toValueType(root: JsonSchema, name: string, taken: Set<string>): ValueType {
  const schemas = listSchemas(root);
  const declarations: string[] = [];
  const names = new Map<JsonSchema, string>();

  /** Declares a schema that references name, once. */
  function declare(schema: JsonSchema, wished: string): string {
    const known = names.get(schema);
    if (known !== undefined) return known;
    let chosen = wished;
    for (let count = 2; taken.has(chosen); count += 1) chosen = `${wished}${count}`;
    taken.add(chosen);
    names.set(schema, chosen);
    const at = declarations.push("") - 1;
    declarations[at] = `export type ${chosen} = ${typeOf(schema, "")};\n`;
    return chosen;
  }

  function typeOf(schema: JsonSchema, indent: string): string {
    if (schema === false) return "never";
    if (schema === true) return "JsonValue";
    const { allOf, anyOf, oneOf, $ref } = schema as { [keyword: string]: JsonSchema[] } & { $ref?: string };
    const parts = [
      ...ownType(schema, indent),
      ...($ref === undefined ? [] : [refer($ref)]),
      ...(allOf ?? []).map((one) => typeOf(one, indent)),
      ...[anyOf, oneOf]
        .filter((list) => list !== undefined)
        .map((list) => union(list.map((one) => typeOf(one, indent)))),
    ].filter((part) => part !== "JsonValue");
    if (parts.length === 0) return "JsonValue";
    return parts.length === 1 ? parts[0]! : parts.map(enclose).join(" & ");
  }

  function refer($ref: string): string {
    const pointer = decodePointer($ref);
    const target = schemas.get(pointer) ?? true;
    return typeof target === "boolean"
      ? typeOf(target, "")
      : declare(target, name + toTypeName(pointer.split("/").at(-1)!));
  }

  /** The type by the keywords of a schema itself: none if they leave it open. */
  function ownType(schema: Keywords, indent: string): string[] {
    if (Object.hasOwn(schema, "const")) return [literalType(schema.const)];
    if (Array.isArray(schema.enum)) return [union(schema.enum.map(literalType))];
    const types = [schema.type ?? impliedType(schema) ?? []].flat() as string[];
    return types.length === 0 ? [] : [union(types.map((type) => typeByName(type, schema, indent)))];
  }

  function typeByName(type: string, schema: Keywords, indent: string): string {
    if (type === "object") return objectType(schema, indent);
    if (type === "array") return arrayType(schema, indent);
    return type === "integer" ? "number" : type;
  }

  function objectType(schema: Keywords, indent: string): string {
    const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
    const required = (schema.required ?? []) as string[];
    const unnamed = required.filter((one) => !properties.some(([known]) => known === one));
    const inner = `${indent}  `;
    const members = [
      ...properties.map(([key, one]) => {
        const optional = required.includes(key) ? "" : "?";
        return `${commentOn(one, inner)}${inner}${toPropertyName(key)}${optional}: ${typeOf(one, inner)};\n`;
      }),
      ...unnamed.map((key) => `${inner}${toPropertyName(key)}: JsonValue;\n`),
    ];
    const others = schema.patternProperties === undefined ? schema.additionalProperties : true;
    if (members.length === 0) return othersType(others as JsonSchema | undefined, indent);
    // TypeScript requires that all members have the type of the others.
    if (others !== undefined && others !== false) members.push(`${inner}[name: string]: unknown;\n`);
    return `{\n${members.join("")}${indent}}`;
  }

  function othersType(others: JsonSchema | undefined, indent: string): string {
    return others === false ? "Record<string, never>" : `{ [name: string]: ${typeOf(others ?? true, indent)} }`;
  }

  function arrayType(schema: Keywords, indent: string): string {
    const items = (schema.items ?? true) as JsonSchema;
    const first = schema.prefixItems as JsonSchema[] | undefined;
    if (first === undefined) return items === false ? "[]" : `${enclose(typeOf(items, indent))}[]`;
    const least = (schema.minItems ?? 0) as number;
    const parts = first.map((one, at) => enclose(typeOf(one, indent)) + (at < least ? "" : "?"));
    return `[${[...parts, ...(items === false ? [] : [`...${enclose(typeOf(items, indent))}[]`])].join(", ")}]`;
  }

  const type = declare(root, name);
  return { type, declarations };
}

/** A key as the name of a property, in quotes only if it is not an identifier. */
function toPropertyName(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
}

/** The name of a type for a key, such as `CheckoutTheme` for `checkout-theme`. */
export function toTypeName(key: string): string {
  const words = key.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  const name = words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join("");
  return /^\p{L}/u.test(name) ? name : `_${name}`;
}

/** Schemas without a type often mean one by their other keywords. */
function impliedType({ properties, required, items, prefixItems }: Keywords): string | undefined {
  if (properties !== undefined || required !== undefined) return "object";
  return items !== undefined || prefixItems !== undefined ? "array" : undefined;
}

function literalType(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literalType).join(", ")}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, part]) => `${JSON.stringify(name)}: ${literalType(part)}`);
  return members.length === 0 ? "Record<string, never>" : `{ ${members.join("; ")} }`;
}

function union(types: readonly string[]): string {
  const different = [...new Set(types)];
  if (different.includes("JsonValue")) return "JsonValue";
  return different.length === 1
    ? different[0]!
    : different.map((type) => (type.includes(" & ") ? `(${type})` : type)).join(" | ");
}

/** Encloses a type of several parts, so that it can be a part itself. */
function enclose(type: string): string {
  return /^\w+$/.test(type) ? type : `(${type})`;
}

function commentOn(schema: JsonSchema, indent: string): string {
  const text = typeof schema === "object" ? (schema.description ?? schema.title) : undefined;
  if (typeof text !== "string" || text.trim() === "") return "";
  return `${indent}/** ${text.replace(/\s+/g, " ").replaceAll("*/", "*\\/").trim()} */\n`;
}
