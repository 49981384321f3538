import type { Condition, FlagRule, Serve } from "@assay/core";

/** A rule of a source; without a condition, it is for everyone. */
export interface Step {
  id: string;
  when: Condition | null;
  serve: Serve;
}

/** The condition that everyone meets. */
export const EVERYONE: Condition = { all: [] };

/**
 * Converts steps to rules and a rollout. A last step for everyone that serves all variants by their weights becomes the
 * rollout of the flag; without one, the flag serves its default to those whom no rule matches.
 */
export function toRules(steps: readonly Step[]): { rules: FlagRule[]; rollout_percentage: number } {
  const last = steps.findIndex(({ when }) => when === null);
  const reached = last < 0 ? steps : steps.slice(0, last + 1);
  const serve = last < 0 ? undefined : steps[last]!.serve;
  const isRollout = serve !== undefined && "rollout_percentage" in serve && serve.variants === undefined;
  const ruled = isRollout ? reached.slice(0, -1) : reached;
  return {
    rules: ruled.map(({ id, when, serve }) => ({ id, when: when ?? EVERYONE, serve })),
    rollout_percentage: isRollout ? serve.rollout_percentage : 0,
  };
}
