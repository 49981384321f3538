import * as areas from "./areas.ts";

export * from "./areas.ts";
export { type OpenApiDocument, toOpenApi } from "./openapi.ts";
export { chosen } from "./shared/choice.ts";
export * from "./shared/common-passwords.ts";
export * from "./shared/decision.ts";
export * from "./shared/errors.ts";
export { MAX_METRIC_VALUE, misspeltName } from "./shared/fields.ts";
export * from "./shared/permission.ts";
export * from "./shared/planned-looks.ts";
export * from "./shared/route.ts";
export * from "./shared/sample-size.ts";
export * from "./shared/timestamp.ts";
export * from "./tool.ts";

/** The areas of the contract, in the order of the OpenAPI document and of `docs/api.md`. */
const AREAS = [
  "auth",
  "users",
  "roles",
  "apiKeys",
  "environments",
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
  "search",
  "mutualExclusionGroups",
  "holdout",
  "tracking",
  "openfeature",
  "proposals",
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
