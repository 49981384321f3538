import type { EvaluationContext } from "../format/result.ts";

/** The attributes whose values are compared case-insensitively. */
const CASELESS = ["country", "browser", "device_type"];

/** Returns whether an attribute's values are compared case-insensitively. */
export function isCaseless(attribute: string): boolean {
  return CASELESS.includes(attribute);
}

/** Reads one attribute by name: own properties only; `user_id` is an alias of the targeting key. */
export function readAttribute(context: EvaluationContext, attribute: string): unknown {
  const name = attribute === "user_id" ? "targetingKey" : attribute;
  const value = context[name];
  // Read the value first: most attributes are present, and most missing ones are undefined.
  return value === undefined || !Object.hasOwn(context, name) ? undefined : value;
}

/** Returns whether a value is a user id, or another text to hash. */
export function isId(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
