import * as z from "zod";
import { openObjects } from "./openapi.ts";
import { type Area, parseRouteKey, type Route, type RouteKey } from "./shared/route.ts";

/**
 * A route as a tool for a language model. Its arguments are one object of path parameters, query parameters and `body`.
 */
export interface Tool {
  /** The operation id with `_` instead of the dot, such as `feature_flags_evaluate`. */
  name: string;
  description: string;
  key: RouteKey;
  route: Route;
  /** JSON Schema of the arguments. */
  inputSchema: { type: "object"; [keyword: string]: unknown };
  isReadOnly: boolean;
  isDestructive: boolean;
}

/** Converts every route that needs credentials and answers JSON to a tool. */
export function toTools(contract: Area): Tool[] {
  return (Object.entries(contract) as [RouteKey, Route][])
    .filter(([, { auth, produces }]) => auth !== "public" && auth !== "signature" && !produces)
    .map(([key, route]) => {
      const [method] = parseRouteKey(key);
      return {
        name: toToolName(route.operationId),
        description: `${route.summary} (${key})`,
        key,
        route,
        inputSchema: toInputSchema(route),
        isReadOnly: method === "GET",
        isDestructive: method === "DELETE",
      };
    });
}

function toToolName(operationId: string): string {
  return operationId.replace(/\./g, "_").replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function toInputSchema(route: Route): Tool["inputSchema"] {
  const body = route.documentedBody ?? route.body;
  const input = z.object({ ...route.params?.shape, ...route.query?.shape, ...(body ? { body } : {}) });
  const { $schema, ...schema } = z.toJSONSchema(input, { io: "input", unrepresentable: "any", override: openObjects });
  return { ...schema, type: "object" };
}
