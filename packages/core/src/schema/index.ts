// JSON Schemas of flag values: in servers, in the console and in tools.

export { inferSchema } from "./infer.ts";
export {
  decodePointer,
  isObject as isJsonObject,
  JSON_TYPES,
  type JsonSchema,
  type JsonType,
  jsonTypeOf,
  listSchemas,
  MAX_SCHEMA_DEPTH,
  MAX_SCHEMA_LENGTH,
  type SchemaProblem,
} from "./schema.ts";
export { findSchemaProblems } from "./schema-problems.ts";
export { createValidator } from "./validator.ts";
export { createWork, type Work } from "./work.ts";
