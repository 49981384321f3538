import type { JsonValue } from "@assay/core";
import { createValidator, isJsonObject, type JsonSchema } from "@assay/core/schema";
import { toTypeName, toValueType } from "./value-type.ts";

/** A flag as `GET /openfeature/v0/manifest` names it. */
export interface ManifestFlag {
  key: string;
  description: string;
  type: "boolean" | "string" | "integer" | "float" | "object";
  defaultValue: unknown;
  /** A JSON Schema of the values, if the flag has one. */
  valueSchema?: JsonSchema;
}

/** The OpenFeature SDKs that accessors are generated for: server SDKs return promises, the web SDK returns values. */
export const SDKS = { server: "@openfeature/server-sdk", web: "@openfeature/web-sdk" } as const;
export type Sdk = keyof typeof SDKS;

const TYPES = {
  boolean: "boolean",
  string: "string",
  integer: "number",
  float: "number",
  object: "JsonValue",
} as const;

/** The types of `@openfeature/core` that all its SDKs give to the keys of a type. */
const KEY_TYPES = {
  BooleanFlagKey: ["boolean"],
  StringFlagKey: ["string"],
  NumberFlagKey: ["integer", "float"],
  ObjectFlagKey: ["object"],
} as const;

/**
 * Generates a TypeScript module for the flags of a server. It narrows the keys that the methods and hooks of OpenFeature
 * take, and contains one object with each flag's default value, from which TypeScript infers keys and types.
 */
export function toAccessors(flags: ManifestFlag[], sdk: Sdk): string {
  const isServer = sdk === "server";
  const needed = ["Client", ...(isServer ? ["EvaluationContext"] : []), "JsonValue"];
  const context = isServer ? ", context" : "";
  const answer = isServer ? "Promise<Flags[K]>" : "Flags[K]";
  const values = toValueTypes(flags);
  const parameters = `client: Client, key: K${isServer ? ", context?: EvaluationContext" : ""}`;
  return `// Written by \`assay types\`; run it again when flags come or go.
import type { ${needed.join(", ")} } from "${SDKS[sdk]}";

/** The keys that the methods and hooks of OpenFeature take, by the type of the flag. */
declare module "@openfeature/core" {
${Object.entries(KEY_TYPES)
  .map(([name, types]) => toKeyType(name, keysOf(flags, types)))
  .join("")}}
${values.declarations.map((declaration) => `\n${declaration}`).join("")}
/** Every flag, with the value that is served where it cannot be evaluated. */
export const flags = {
${flags.map((flag) => toMember(flag, values.types.get(flag.key) ?? TYPES[flag.type])).join("")}};

export type Flags = typeof flags;
export type FlagKey = keyof Flags;

/** The value of a flag, of the flag's own type. */
export function flagValue<K extends FlagKey>(${parameters}): ${answer} {
  const fallback: unknown = Object.hasOwn(flags, key) ? flags[key] : undefined;
  const checked = key as never;
  const value =
    typeof fallback === "boolean"
      ? client.getBooleanValue(checked, fallback${context})
      : typeof fallback === "string"
        ? client.getStringValue(checked, fallback${context})
        : typeof fallback === "number"
          ? client.getNumberValue(checked, fallback${context})
          : client.getObjectValue(checked, fallback as JsonValue${context});
  return value as ${answer};
}
`;
}

function keysOf(flags: readonly ManifestFlag[], types: readonly ManifestFlag["type"][]): string[] {
  return flags.filter(({ type }) => types.includes(type)).map(({ key }) => key);
}

function toKeyType(name: string, keys: readonly string[]): string {
  // TypeScript takes the last declaration, and reports that the SDK has one too.
  const start = `  // @ts-ignore replaces the type of the SDK\n  export type ${name} =`;
  if (keys.length === 0) return `${start} never;\n`;
  return `${start}${keys.map((key) => `\n    | ${JSON.stringify(key)}`).join("")};\n`;
}

/** Returns the types of the flags with a schema, and their declarations. */
function toValueTypes(flags: readonly ManifestFlag[]) {
  const types = new Map<string, string>();
  const taken = new Set(RESERVED);
  const declarations = flags.flatMap(({ key, valueSchema, defaultValue }) => {
    if (valueSchema === undefined) return [];
    const value = toValueType(valueSchema, `${toTypeName(key)}Value`, taken);
    types.set(key, withFallback(value.type, valueSchema, defaultValue));
    return value.declarations;
  });
  return { types, declarations };
}

/** Names of the module itself. */
const RESERVED = ["Client", "EvaluationContext", "JsonValue", "Flags", "FlagKey"];

/** The type of a flag's value, which may also be the value for code where the flag cannot be evaluated. */
function withFallback(type: string, schema: JsonSchema, fallback: unknown): string {
  if (createValidator(schema)(fallback as JsonValue).length === 0) return type;
  // A flag without a default value has `{}` there.
  return isJsonObject(schema) && schema.type === "object" ? `Partial<${type}>` : "JsonValue";
}

function toMember({ key, description, defaultValue }: ManifestFlag, type: string): string {
  const words = description.replace(/\s+/g, " ").replaceAll("*/", "*\\/").trim();
  const comment = words === "" ? "" : `  /** ${words} */\n`;
  return `${comment}  ${JSON.stringify(key)}: ${JSON.stringify(defaultValue)} as ${type},\n`;
}
