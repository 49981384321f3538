import * as z from "zod";
import { ErrorBody } from "./shared/errors.ts";
import { type Area, type Auth, parseRouteKey, pathParams, type Route } from "./shared/route.ts";

type JsonSchema = Record<string, unknown>;

/** An OpenAPI 3.1 document, as plain JSON. */
export interface OpenApiDocument {
  openapi: "3.1.0";
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, unknown>>;
  components: { schemas: Record<string, JsonSchema>; securitySchemes: Record<string, unknown> };
  [extension: string]: unknown;
}

/** Converts a contract to OpenAPI 3.1. Paths are relative to the server's `/api/v1`. */
export function toOpenApi(contract: Area, options: { version?: string } = {}): OpenApiDocument {
  const components = createComponents();
  const paths: OpenApiDocument["paths"] = {};
  // Answers first, so that a schema used both ways keeps its plain name for answers.
  const answers = new Map(routesOf(contract).map(([key, route]) => [key, contentOf(route, components)]));
  const errors = components.use(ErrorBody, "output");
  for (const [key, route] of routesOf(contract)) {
    const [method, path] = parseRouteKey(key);
    paths[path] ??= {};
    paths[path][method.toLowerCase()] = toOperation(path, route, answers.get(key), errors, components);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Assay",
      version: options.version ?? "1",
      description:
        "Feature flags and experiments. Every response has an X-Request-Id header; every error is `{detail}`.",
    },
    servers: [{ url: "/api/v1" }],
    paths,
    components: {
      schemas: components.schemas(),
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
        apiKey: { type: "apiKey", in: "header", name: "X-API-Key" },
      },
    },
  };
}

function routesOf(contract: Area) {
  return Object.entries(contract) as [keyof Area, Route][];
}

function toOperation(
  path: string,
  route: Route,
  content: JsonSchema | undefined,
  errors: JsonSchema,
  components: Components,
): JsonSchema {
  const status = String(route.status ?? 200);
  return {
    operationId: route.operationId,
    summary: route.summary,
    ...(route.description ? { description: route.description } : {}),
    tags: [path.split("/")[1]],
    ...(route.auth === "public" || route.auth === "signature"
      ? { security: [] }
      : { security: toSecurity(route.auth) }),
    "x-assay-auth": route.auth,
    "x-assay-limit": route.limit,
    ...(route.client ? { "x-assay-client-key": true } : {}),
    ...parametersOf(path, route, components),
    ...(route.body ? { requestBody: bodyOf(route, route.documentedBody ?? route.body, components) } : {}),
    responses: {
      [status]: { description: route.summary, ...(content ? { content } : {}) },
      default: { description: "Error", content: { "application/json": { schema: errors } } },
    },
  };
}

/** Returns the response media types of a route; the first is the default. */
function contentOf(route: Route, components: Components): JsonSchema | undefined {
  if (!route.response) return undefined;
  const schema = components.use(route.response, "output");
  const others = Object.entries(route.representations ?? {});
  return Object.fromEntries([
    ...(route.produces ?? ["application/json"]).map((type) => [type, { schema }]),
    ...others.map(([type, other]) => [type, { schema: components.use(other, "output") }]),
  ]);
}

function toSecurity(auth: Exclude<Auth, string>): Record<string, string[]>[] {
  return [...(auth.user ? [{ bearer: [] }] : []), ...(auth.key ? [{ apiKey: [] }] : [])];
}

function parametersOf(path: string, route: Route, components: Components): { parameters?: JsonSchema[] } {
  const parameters: JsonSchema[] = [];
  for (const name of pathParams(path)) {
    const schema = route.params?.shape[name];
    parameters.push({
      name,
      in: "path",
      required: true,
      schema: schema ? components.use(schema as z.ZodType, "input") : { type: "string" },
    });
  }
  for (const [name, schema] of Object.entries(route.query?.shape ?? {})) {
    const required = !z.safeParse(schema, undefined).success;
    parameters.push({ name, in: "query", required, schema: components.use(schema as z.ZodType, "input") });
  }
  return parameters.length > 0 ? { parameters } : {};
}

function bodyOf(route: Route, body: z.ZodType, components: Components): JsonSchema {
  const schema = components.use(body, "input");
  const content: JsonSchema = { "application/json": { schema } };
  if (route.form) content["application/x-www-form-urlencoded"] = { schema };
  if (route.bulk) content["application/x-ndjson"] = { schema: { type: "string" } };
  return { required: !body.safeParse(undefined).success, content };
}

interface Components {
  use(schema: z.ZodType, io: "input" | "output"): JsonSchema;
  schemas(): Record<string, JsonSchema>;
}

/** Collects named schemas. If requests and responses differ, the schema of requests gets the suffix `Input`. */
function createComponents(): Components {
  const named = new Map<string, JsonSchema>();
  const answered = new Map<string, string>();

  return {
    use(schema, io) {
      const { $schema, $defs, ...root } = z.toJSONSchema(schema, {
        io,
        unrepresentable: "any",
        override: openObjects,
      }) as JsonSchema;
      const definitions = Object.entries(($defs ?? {}) as Record<string, JsonSchema>);
      const texts = new Map(definitions.map(([id, definition]) => [id, JSON.stringify(definition)]));
      if (io === "output") for (const [id, text] of texts) answered.set(id, text);
      const renamed = new Set(
        [...texts].filter(([id, text]) => answered.has(id) && answered.get(id) !== text).map(([id]) => id),
      );
      // A schema that refers to a renamed one needs a new name too.
      for (let before = -1; before !== renamed.size; ) {
        before = renamed.size;
        for (const [id, text] of texts) {
          if (answered.has(id) && [...renamed].some((other) => text.includes(`"#/$defs/${other}"`))) renamed.add(id);
        }
      }
      for (const [id, definition] of definitions) {
        named.set(renamed.has(id) ? `${id}Input` : id, point(stripId(definition), renamed));
      }
      return point(root, renamed);
    },
    schemas: () => Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/**
 * Leaves objects of responses open, so that new fields do not break clients; only deliberately strict objects are
 * closed.
 */
export function openObjects({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: JsonSchema }): void {
  const definition = zodSchema._zod.def as z.core.$ZodTypeDef & { catchall?: z.core.$ZodType };
  if (definition.type === "object" && !definition.catchall) delete jsonSchema.additionalProperties;
}

function stripId({ id, ...schema }: JsonSchema): JsonSchema {
  return schema;
}

/** Rewrites every local reference to `components`, to the `Input` form for names in `renamed`. */
function point(schema: JsonSchema, renamed: Set<string>): JsonSchema {
  const text = JSON.stringify(schema).replace(/"#\/\$defs\/([^"]+)"/g, (_, id: string) =>
    JSON.stringify(`#/components/schemas/${renamed.has(id) ? `${id}Input` : id}`),
  );
  return JSON.parse(text) as JsonSchema;
}
