import type { Auth } from "@assay/contract";
import type { Operation } from "./operation.ts";
import { type JsonSchema, type OpenApi, refName } from "./schema.ts";

const INTRODUCTION = `# API reference

Generated from the contract by \`pnpm generate\`. \`packages/contract/openapi.json\` has the same content as OpenAPI 3.1.

Paths are below \`/api/v1\`. *Who* is the weakest role that may call the route; \`key:read\` is an API key with that
scope, "own" means a DEVELOPER for what they created. *Limit* is the rate-limit class. Errors are \`{detail}\`; a 422 lists
\`{loc, msg, type}\`. Fields marked \`?\` are optional.
`;

/** Writes the reference of every route as Markdown, with one section per area. */
export function toApiReference(document: OpenApi, operations: Operation[]): string {
  const areas = new Map<string, Operation[]>();
  for (const operation of operations) areas.set(operation.area, [...(areas.get(operation.area) ?? []), operation]);
  const sections = [...areas].map(([area, members]) => section(area, members));
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) => schemaSection(name, schema));
  return `${[INTRODUCTION, ...sections, "## Schemas\n", ...schemas].join("\n").trimEnd()}\n`;
}

function section(area: string, operations: Operation[]): string {
  const rows = operations.map(({ method, path, route, status, summary }) =>
    row([method, code(path), who(route.auth, route.client), String(status), route.limit, summary]),
  );
  return [
    `## ${area}\n`,
    row(["Method", "Path", "Who", "Status", "Limit", "Description"]),
    row(["---", "---", "---", "---", "---", "---"]),
    ...rows,
    "",
    ...operations.map(details),
  ].join("\n");
}

function details(operation: Operation): string {
  const { key, operationId, params, query, body, bodyRequired, response, representations, route } = operation;
  const lines = [
    ...fieldLines("Path", params),
    ...fieldLines("Query", query),
    ...(body ? bodyLines(body, bodyRequired, route.form === true) : []),
    `- Returns ${response ? typeOf(response) : "no body"}`,
    ...Object.entries(representations).map(([type, schema]) => `- Returns ${typeOf(schema)} as ${code(type)}`),
  ];
  const description = route.description ? `${route.description}\n\n` : "";
  return `### ${code(key)}\n\n${code(operationId)}\n\n${description}${lines.join("\n")}\n`;
}

function bodyLines(body: JsonSchema, required: boolean, form: boolean): string[] {
  const title = `Body${form ? " (JSON or form)" : ""}${required ? "" : " (optional)"}`;
  return body.properties ? fieldLines(title, body) : [`- ${title}: ${typeOf(body)}`];
}

function fieldLines(title: string, schema: JsonSchema | undefined): string[] {
  if (!schema) return [];
  return [`- ${title}`, ...fields(schema).map((field) => `  - ${field}`)];
}

function schemaSection(name: string, schema: JsonSchema): string {
  const content = schema.properties ? fields(schema).map((field) => `- ${field}`) : choicesOf(schema);
  return `### ${name}\n\n${content.join("\n")}\n`;
}

/** Returns one line for each alternative if any of them has a description, otherwise one line for all. */
function choicesOf(schema: JsonSchema): string[] {
  const choices = schema.anyOf?.some(({ description }) => description) ? schema.anyOf : [schema];
  return choices.map((choice) => `- ${typeOf(choice)}${choice.description ? `; ${choice.description}` : ""}`);
}

function fields(schema: JsonSchema): string[] {
  return Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const optional = schema.required?.includes(name) ? "" : "?";
    const note = field.description ? `; ${field.description}` : "";
    return `${code(name + optional)}: ${typeOf(field)}${limits(field)}${note}`;
  });
}

function who(auth: Auth, client: true | undefined): string {
  if (auth === "public" || auth === "signature") return auth;
  const callers = [
    ...(auth.user ? [`${auth.user === true ? "any user" : auth.user}${auth.own ? " (own)" : ""}`] : []),
    ...(auth.orOwner ? ["its creator"] : []),
    ...(auth.key ? [`key:${auth.key}${client ? " (also CLIENT keys)" : ""}`] : []),
  ];
  return callers.join(", ");
}

/** Writes a schema as a short type: a link if it has a name, words otherwise. */
function typeOf(schema: JsonSchema): string {
  const name = refName(schema);
  if (name) return `[${name}](#${name.toLowerCase()})`;
  if (schema.enum) return schema.enum.map((value) => code(String(value))).join(" or ");
  if (schema.const !== undefined) return code(String(schema.const));
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map(typeOf).join(" or ");
  if (schema.allOf) return schema.allOf.map(typeOf).join(" and ");
  if (schema.prefixItems) return `[${schema.prefixItems.map(typeOf).join(", ")}]`;
  if (schema.type === "array") return `array of ${schema.items ? typeOf(schema.items) : "anything"}`;
  if (schema.properties) return `{ ${Object.entries(schema.properties).map(member(schema)).join(", ")} }`;
  if (schema.type === "object") {
    const values = schema.additionalProperties;
    return values && values !== true && Object.keys(values).length > 0 ? `object of ${typeOf(values)}` : "object";
  }
  if (schema.type === undefined) return "any JSON";
  return [schema.type].flat().join(" or ") + (schema.format ? ` (${schema.format})` : "");
}

function member(parent: JsonSchema) {
  return ([name, schema]: [string, JsonSchema]) =>
    `${name}${parent.required?.includes(name) ? "" : "?"}: ${typeOf(schema)}`;
}

function limits({ type, minimum, maximum, maxLength, maxItems, default: fallback }: JsonSchema): string {
  // Safe-integer bounds only mean "integer", so they are not shown.
  const low = minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER ? minimum : undefined;
  const high = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER ? maximum : undefined;
  const parts = [
    ...(low !== undefined && high !== undefined ? [`${low} to ${high}`] : []),
    ...(low !== undefined && high === undefined ? [`at least ${low}`] : []),
    ...(low === undefined && high !== undefined ? [`at most ${high}`] : []),
    ...(type === "string" && maxLength !== undefined ? [`at most ${maxLength} characters`] : []),
    ...(maxItems !== undefined ? [`at most ${maxItems}`] : []),
    ...(fallback !== undefined ? [`default ${code(JSON.stringify(fallback))}`] : []),
  ];
  return parts.length > 0 ? ` (${parts.join(", ")})` : "";
}

function row(cells: string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

function code(text: string): string {
  return `\`${text}\``;
}
