import * as areas from "./areas.ts";

export * from "./areas.ts";
export { chosen } from "./choice.ts";
export * from "./common-passwords.ts";
export * from "./errors.ts";
export { MAX_METRIC_VALUE, misspeltName } from "./fields.ts";
export { type OpenApiDocument, toOpenApi } from "./openapi.ts";
export * from "./permission.ts";
export * from "./route.ts";
export * from "./sample-size.ts";
export * from "./timestamp.ts";
export * from "./tool.ts";

/** The areas of the contract, in the order of the OpenAPI document and of `docs/api.md`. */
const AREAS = [
  "auth",
  "users",
  "roles",
  "apiKeys",
  "experiments",
  "wizard",
  "notifications",
  "results",
  "counters",
  "warehouse",
  "bandit",
  "interactions",
  "etl",
  "featureFlags",
  "segments",
  "mutualExclusionGroups",
  "holdout",
  "tracking",
  "openfeature",
  "auditLogs",
  "compliance",
  "integrations",
  "mcp",
  "rolloutSchedules",
  "safety",
  "scheduler",
  "ai",
] as const;

/** `A & B` for the union `A | B`. */
type Merged<Union> = (Union extends unknown ? (member: Union) => void : never) extends (merged: infer All) => void
  ? All
  : never;

export type Contract = Merged<(typeof areas)[(typeof AREAS)[number]]>;

/** Every route of `/api/v1`, by its key. */
// biome-ignore lint/performance/noDynamicNamespaceImportAccess: the contract needs every area
export const contract: Contract = Object.assign({}, ...AREAS.map((name) => areas[name]));
