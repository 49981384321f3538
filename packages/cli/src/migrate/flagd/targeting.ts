import type { Condition, Serve } from "@assay/core";
import { allOf } from "../mapping/condition.ts";
import type { Draw } from "../mapping/migration.ts";
import { noCounterpart } from "../mapping/no-counterpart.ts";
import type { Step } from "../mapping/rules.ts";
import { isCondition, toCondition } from "./condition.ts";
import { toOperation } from "./expression.ts";
import { readFractional } from "./fractional.ts";

/** A targeting expression as rules in order, of which the last is for everyone. */
export interface Targeting {
  steps: Step[];
  draws: Draw[];
  /** The attributes that draws hash. */
  attributes: string[];
}

/** Converts a targeting expression. @param fallback the default variant, if there is one. @throws {NoCounterpart} */
export function toTargeting(expression: unknown, flagKey: string, fallback: string | undefined): Targeting {
  const targeting: Targeting = { steps: [], draws: [], attributes: [] };
  const add = (when: Condition | null, serve: Serve) => {
    const id = `rule-${targeting.steps.length + 1}`;
    targeting.steps.push({ id, when, serve });
    return id;
  };
  const keyOf = (variant: string | null) =>
    variant ?? fallback ?? noCounterpart("Some users get no variant, and it has no default variant");

  function visit(expression: unknown, when: Condition | null): void {
    if (isCondition(expression)) {
      add(allOf([when, toCondition(expression)]), { variant: "true" });
      add(when, { variant: "false" });
      return;
    }
    const operation = toOperation(expression);
    if (!operation) {
      if (Array.isArray(expression)) noCounterpart("Its targeting is a list");
      add(when, { variant: keyOf(expression === null || expression === undefined ? null : String(expression)) });
      return;
    }
    const { name, args } = operation;
    if (name === "fractional") {
      split(args, when);
      return;
    }
    if (name !== "if") noCounterpart(`The operation ${name} has no counterpart`);
    for (let at = 0; at + 1 < args.length; at += 2) visit(args[at + 1], allOf([when, toCondition(args[at])]));
    visit(args.length % 2 === 1 ? args.at(-1) : null, when);
  }

  function split(args: readonly unknown[], when: Condition | null): void {
    const { attribute, buckets, armOf } = readFractional(args, flagKey);
    const total = buckets.reduce((sum, { weight }) => sum + weight, 0);
    const weights = new Map<string, number>();
    for (const { variant, weight } of buckets) {
      if (weight > 0) weights.set(keyOf(variant), (weights.get(keyOf(variant)) ?? 0) + (weight * 100) / total);
    }
    const variants = [...weights].map(([key, weight]) => ({ key, weight }));
    const serve = { rollout_percentage: 100, variants };
    const subject = add(when, serve);
    targeting.attributes.push(attribute);
    targeting.draws.push({ subject, serve, armOf: (id) => keyOf(armOf(id)) });
  }

  visit(expression, null);
  return targeting;
}
