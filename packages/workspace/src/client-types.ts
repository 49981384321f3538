import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";
import type { Operation } from "./operation.ts";
import type { JsonSchema, OpenApi } from "./schema.ts";

/** The interface that maps each route key to its inputs and response. */
const ROUTES = "Routes";

/** The type of a missing response. It becomes `undefined`, which JSON Schema cannot express. */
const ABSENT: JsonSchema = { $comment: "absent" };
const UNDEFINED = ts.factory.createKeywordTypeNode(ts.SyntaxKind.UndefinedKeyword);

function isAbsent(schema: object): boolean {
  return "$comment" in schema && schema.$comment === ABSENT.$comment;
}

/**
 * Writes the types of a contract as plain interfaces: one per named schema, and `Routes`, which maps each route key to
 * its `params`, `query`, `body` and `response`. openapi-typescript gets the routes as one more schema. So it writes all
 * types, and users need no conditional types.
 */
export async function toClientTypes(document: OpenApi, operations: Operation[]): Promise<string> {
  if (document.components.schemas[ROUTES]) throw new Error(`A schema may not be called ${ROUTES}`);
  const nodes = await openapiTS(
    JSON.stringify({
      openapi: "3.1.0",
      info: { title: "Assay", version: "1" },
      paths: {},
      components: { schemas: { ...document.components.schemas, [ROUTES]: routesSchema(operations) } },
    }),
    // The server applies defaults: callers may omit the field, and responses mark it as required.
    { defaultNonNullable: false, silent: true, transform: (schema) => (isAbsent(schema) ? UNDEFINED : undefined) },
  );
  const text = astToString(schemasOf(nodes).map(toDeclaration));
  return text
    .replace(/components\["schemas"\]\["(\w+)"\]/g, "$1")
    .replace(/^ *\/\*\* @enum \{string\} \*\/\n/gm, "")
    .replaceAll("@description ", "")
    .replace(/^( {4})+/gm, (indent) => " ".repeat(indent.length / 2));
}

function routesSchema(operations: Operation[]): JsonSchema {
  const properties = Object.fromEntries(operations.map((operation) => [operation.key, routeSchema(operation)]));
  return { type: "object", required: Object.keys(properties), properties };
}

function routeSchema({ summary, params, query, body, bodyRequired, response = ABSENT }: Operation): JsonSchema {
  const required = [
    ...(params ? ["params"] : []),
    ...(query?.required?.length ? ["query"] : []),
    ...(bodyRequired ? ["body"] : []),
    "response",
  ];
  const properties = Object.entries({ params, query, body, response }).filter(([, schema]) => schema !== undefined);
  return {
    type: "object",
    description: summary,
    properties: Object.fromEntries(properties) as Record<string, JsonSchema>,
    required,
  };
}

/** Returns the members of `interface components { schemas: { … } }`. */
function schemasOf(nodes: ts.Node[]): ts.PropertySignature[] {
  for (const node of nodes) {
    if (!ts.isInterfaceDeclaration(node) || node.name.text !== "components") continue;
    for (const member of node.members) {
      if (!ts.isPropertySignature(member) || nameOf(member) !== "schemas") continue;
      if (member.type && ts.isTypeLiteralNode(member.type)) return member.type.members.filter(ts.isPropertySignature);
    }
  }
  throw new Error("openapi-typescript wrote no schemas");
}

function toDeclaration(member: ts.PropertySignature): ts.Node {
  const { factory } = ts;
  const exported = [factory.createModifier(ts.SyntaxKind.ExportKeyword)];
  const name = nameOf(member);
  const type = member.type ?? factory.createKeywordTypeNode(ts.SyntaxKind.UnknownKeyword);
  return ts.isTypeLiteralNode(type)
    ? factory.createInterfaceDeclaration(exported, name, undefined, undefined, type.members)
    : factory.createTypeAliasDeclaration(exported, name, undefined, type);
}

function nameOf(member: ts.PropertySignature): string {
  return ts.isIdentifier(member.name) || ts.isStringLiteral(member.name) ? member.name.text : member.name.getText();
}
