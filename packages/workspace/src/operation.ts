import type { Contract, Route, RouteKey } from "@assay/contract";
import type { JsonSchema, OpenApi, ParameterObject } from "./schema.ts";

/** One route for generators: its contract entry and the schemas of its OpenAPI operation. */
export interface Operation {
  key: RouteKey;
  method: string;
  path: string;
  /** The first segment of the path, which is a heading in the reference. */
  area: string;
  operationId: string;
  summary: string;
  route: Route;
  status: number;
  params?: JsonSchema;
  query?: JsonSchema;
  body?: JsonSchema;
  bodyRequired: boolean;
  response?: JsonSchema;
  /** The other response schemas, by media type. */
  representations: Record<string, JsonSchema>;
}

/** Returns every operation of a document, in order. */
export function toOperations(contract: Contract | Record<RouteKey, Route>, document: OpenApi): Operation[] {
  const routes = contract as Record<string, Route>;
  return Object.keys(routes).map((key) => {
    const [method = "", path = ""] = key.split(" ");
    const route = routes[key]!;
    const operation = document.paths[path]?.[method.toLowerCase()];
    if (!operation) throw new Error(`${key} is not in the OpenAPI document`);
    const status = route.status ?? 200;
    return {
      key: key as RouteKey,
      method,
      path,
      area: operation.tags[0] ?? "",
      operationId: operation.operationId,
      summary: operation.summary,
      route,
      status,
      params: toObjectSchema(operation.parameters, "path"),
      query: toObjectSchema(operation.parameters, "query"),
      body: operation.requestBody?.content["application/json"]?.schema,
      bodyRequired: operation.requestBody?.required ?? false,
      response: Object.values(operation.responses[status]?.content ?? {})[0]?.schema,
      representations: Object.fromEntries(
        Object.keys(route.representations ?? {}).map((type) => [
          type,
          operation.responses[status]?.content?.[type]?.schema ?? {},
        ]),
      ),
    };
  });
}

function toObjectSchema(parameters: ParameterObject[] = [], place: "path" | "query"): JsonSchema | undefined {
  const chosen = parameters.filter((parameter) => parameter.in === place);
  if (chosen.length === 0) return undefined;
  return {
    type: "object",
    properties: Object.fromEntries(chosen.map(({ name, schema }) => [name, toParameter(schema)])),
    required: chosen.filter((parameter) => parameter.required).map((parameter) => parameter.name),
  };
}

/**
 * Returns the schema of a parameter as callers see it. A JSON parameter is a string on the wire; callers pass the
 * object.
 */
function toParameter(schema: JsonSchema): JsonSchema {
  if (schema.type !== "string" || schema.description !== "URL-encoded JSON object") return schema;
  return { type: "object", description: "Sent as JSON", additionalProperties: true };
}
