/** A flag as `GET /openfeature/v0/manifest` names it. */
export interface ManifestFlag {
  key: string;
  description: string;
  type: "boolean" | "string" | "integer" | "float" | "object";
  defaultValue: unknown;
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

/**
 * Generates a TypeScript module for the flags of a server. It contains one object with each flag's default value;
 * TypeScript infers keys and types from it.
 */
export function toAccessors(flags: ManifestFlag[], sdk: Sdk): string {
  const isServer = sdk === "server";
  const needed = ["Client", ...(isServer ? ["EvaluationContext"] : []), "JsonValue"];
  const context = isServer ? ", context" : "";
  const answer = isServer ? "Promise<Flags[K]>" : "Flags[K]";
  const parameters = `client: Client, key: K${isServer ? ", context?: EvaluationContext" : ""}`;
  return `// Written by \`assay types\`; run it again when flags come or go.
import type { ${needed.join(", ")} } from "${SDKS[sdk]}";

/** Every flag, with the value that is served where it cannot be evaluated. */
export const flags = {
${flags.map(toMember).join("")}};

export type Flags = typeof flags;
export type FlagKey = keyof Flags;

/** The value of a flag, of the flag's own type. */
export function flagValue<K extends FlagKey>(${parameters}): ${answer} {
  const fallback: unknown = Object.hasOwn(flags, key) ? flags[key] : undefined;
  const value =
    typeof fallback === "boolean"
      ? client.getBooleanValue(key, fallback${context})
      : typeof fallback === "string"
        ? client.getStringValue(key, fallback${context})
        : typeof fallback === "number"
          ? client.getNumberValue(key, fallback${context})
          : client.getObjectValue(key, fallback as JsonValue${context});
  return value as ${answer};
}
`;
}

function toMember({ key, description, type, defaultValue }: ManifestFlag): string {
  const words = description.replace(/\s+/g, " ").replaceAll("*/", "*\\/").trim();
  const comment = words === "" ? "" : `  /** ${words} */\n`;
  return `${comment}  ${JSON.stringify(key)}: ${JSON.stringify(defaultValue)} as ${TYPES[type]},\n`;
}
