import type { EvaluationContext } from "../format/result.ts";

/** Attributes whose values are compared without regard to letter case. */
const CASELESS = ["country", "browser", "device_type"];

/** Whether an attribute's values are compared without regard to letter case. */
export function isCaseless(attribute: string): boolean {
  return CASELESS.includes(attribute);
}

/** Reads one attribute by name: own properties only, and `user_id` is another name for the targeting key. */
export function readAttribute(context: EvaluationContext, attribute: string): unknown {
  const name = attribute === "user_id" ? "targetingKey" : attribute;
  const value = context[name];
  // The value first: most attributes that are asked for are there, and most that are not are undefined.
  return value === undefined || !Object.hasOwn(context, name) ? undefined : value;
}
