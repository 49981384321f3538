export * from "./evaluation/definition.ts";
export type * from "./evaluation/result.ts";
