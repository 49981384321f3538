import { createBucketer } from "../bucketing/bucket.ts";
import { compileTargeting } from "../targeting/block.ts";
import type { Scope } from "../targeting/scope.ts";
import { createDraw, type Drawing } from "./draw.ts";
import type { EvaluationContext, Reason, TraceStep } from "./result.ts";
import { compileRules } from "./rule.ts";
import type { VariantList } from "./variant.ts";

/** Answers one context with one of the outcomes made at compile time. */
export type Run<T> = (context: EvaluationContext, now: number | undefined, trace: TraceStep[] | null) => T;

/** How an arm was come by; `index` is -1 outside the rollout. */
export interface Arm {
  index: number;
  reason: Extract<Reason, "STATIC" | "SPLIT" | "TARGETING_MATCH">;
  ruleId: string | null;
  forced: boolean;
}

/** Who gets which arm, in terms a flag and an experiment share. */
export interface Selection<T> {
  /** The bucketing key. */
  key: string;
  bucketBy: string | null;
  variants: VariantList;
  /** Percentage. */
  rollout: number;
  targeting: unknown;
  rules: unknown;
  /** False also switches `included_users` off. */
  rulesEnabled: boolean;
  /** Whether something before the selection depends on the user, so that nothing is the same for everyone. */
  gated: boolean;
  /** Arms given by name, between the blocks and the rules; null where they give none. */
  overrides?: Run<T | null> | null;
  outcome: (arm: Arm) => T;
  /** Outcome for excluded users, and where the blocks do not match. */
  rejected: T;
  /** Outcome where a hash is needed and there is nobody to hash. */
  keyMissing: T;
}

/**
 * Compiles excluded users, included users, targeting blocks, overrides, rules and rollout, in that order, to one
 * function over shared outcomes.
 */
export function compileSelection<T>(selection: Selection<T>, scope: Scope): Run<T> {
  const { key, bucketBy, variants, rulesEnabled, outcome, rejected, keyMissing, overrides = null } = selection;
  const targeting = compileTargeting(selection.targeting, scope, ["targeting_rules"]);
  const rules = compileRules(selection.rules, variants, scope, ["rules"]);
  const drawing: Drawing = { key, bucketBy, hash: createBucketer(key) };
  const { blocks, excluded } = targeting;
  const included = rulesEnabled ? targeting.included : null;
  const activeRules = rulesEnabled ? rules : [];

  /** A draw over some of the variants; its outcomes differ in nothing but the arm. */
  const draw = (indexes: readonly number[], weights: readonly number[], rollout: number, how: Omit<Arm, "index">) => {
    const alone = rollout >= 100 && weights.filter((weight) => weight > 0).length === 1;
    const reason = alone ? how.reason : "SPLIT";
    return createDraw(drawing, weights, rollout, {
      arms: indexes.map((index) => outcome({ ...how, reason, index })),
      outside: outcome({ ...how, reason: "SPLIT", index: -1 }),
      keyMissing,
    });
  };
  const everyIndex = variants.keys.map((_, index) => index);
  const varies =
    selection.gated || excluded !== null || included !== null || overrides !== null || activeRules.length > 0;
  const own = draw(everyIndex, variants.weights, Math.min(selection.rollout, targeting.rollout), {
    reason: blocks !== null ? "TARGETING_MATCH" : varies ? "SPLIT" : "STATIC",
    ruleId: null,
    forced: false,
  });
  const forcedDraw = draw(everyIndex, variants.weights, 100, { reason: "TARGETING_MATCH", ruleId: null, forced: true });
  const served = activeRules.map(({ id, when, serve }) => {
    const how = { reason: "TARGETING_MATCH", ruleId: id, forced: true } as const;
    if (!("variant" in serve)) return { id, when, run: draw(serve.variants, serve.weights, serve.rollout, how) };
    const given = outcome({ ...how, index: serve.variant });
    return { id, when, run: () => given };
  });

  return (context, now, trace) => {
    if (excluded !== null) {
      const matched = excluded.has(context.targetingKey);
      if (trace !== null) trace.push(listStep("EXCLUDED_USERS", matched));
      if (matched) return rejected;
    }
    if (included !== null) {
      const matched = included.has(context.targetingKey);
      if (trace !== null) trace.push(listStep("INCLUDED_USERS", matched));
      if (matched) return forcedDraw(context, trace);
    }
    if (blocks !== null && !blocks(context, now, trace)) return rejected;
    if (overrides !== null) {
      const arm = overrides(context, now, trace);
      if (arm !== null) return arm;
    }
    for (const rule of served) {
      const matched = rule.when(context, now, trace);
      if (trace !== null) {
        trace.push({ step: "RULE", subject: rule.id, matched, detail: matched ? "matches" : "does not match" });
      }
      if (matched) return rule.run(context, trace);
    }
    return own(context, trace);
  };
}

function listStep(step: "EXCLUDED_USERS" | "INCLUDED_USERS", matched: boolean): TraceStep {
  return { step, subject: step.toLowerCase(), matched, detail: matched ? "user is listed" : "user is not listed" };
}
