import { createBucketer } from "../bucketing/bucket.ts";
import { compileTargeting } from "../targeting/block.ts";
import { note, type Scope, type Trace } from "../targeting/scope.ts";
import type { FlagRule, TargetingRules } from "./definition.ts";
import { createDraw, type Drawing } from "./draw.ts";
import type { EvaluationContext, Reason } from "./result.ts";
import { compileRule } from "./rule.ts";
import type { VariantList } from "./variant.ts";

/** Answers one context with one of the outcomes made at compile time. */
export type Run<T> = (context: EvaluationContext, now: number | undefined, trace: Trace) => T;

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
  bucketBy: string | null | undefined;
  variants: VariantList;
  /** Percentage. */
  rollout: number;
  targeting: TargetingRules | null | undefined;
  rules: readonly FlagRule[] | null | undefined;
  /** False also switches `included_users` off. */
  rulesEnabled: boolean;
  /** Whether something before the selection depends on the user, so that nothing is the same for everyone. */
  gated: boolean;
  /** Arms given by name, between the blocks and the rules; answers null where it gives none. */
  overrides?: Run<T | null>;
  outcome: (arm: Arm) => T;
  /** Outcome for excluded users, and where the blocks do not match. */
  rejected: T;
  /** Outcome where a hash is needed and there is nobody to hash. */
  keyMissing: T;
}

/**
 * Compiles excluded users, included users, targeting blocks, overrides, rules and rollout, in that order, to one
 * function over shared outcomes.
 *
 * @throws DefinitionError, SyntaxError, TypeError or RangeError for what is not understood.
 */
export function compileSelection<T>(selection: Selection<T>, scope: Scope): Run<T> {
  const { key, variants, rulesEnabled, outcome, rejected, keyMissing, overrides } = selection;
  const { keys, weights } = variants;
  const drawing: Drawing = { key, bucketBy: selection.bucketBy ?? null, hash: createBucketer(key) };
  const targeting = compileTargeting(selection.targeting ?? {}, scope);
  const rules = (selection.rules ?? []).map((rule) => compileRule(rule, keys, scope));
  const { blocks, excluded } = targeting;
  const included = rulesEnabled ? targeting.included : null;

  /** A draw over some of the variants; only alone at 100 % does an arm come for another reason than the split. */
  const draw = (indexes: readonly number[], weights: readonly number[], rollout: number, how: Omit<Arm, "index">) => {
    const alone = rollout >= 100 && weights.filter((weight) => weight > 0).length === 1;
    const reason = alone ? how.reason : "SPLIT";
    return createDraw(drawing, weights, rollout, {
      arms: indexes.map((index) => outcome({ ...how, reason, index })),
      outside: outcome({ ...how, reason: "SPLIT", index: -1 }),
      keyMissing,
    });
  };
  const every = keys.map((_, index) => index);
  const served = rules.map(({ id, when, serve }) => {
    const how = { reason: "TARGETING_MATCH", ruleId: id, forced: true } as const;
    if (!("variant" in serve)) {
      return { id, when, run: draw(serve.indexes, serve.weights.length ? serve.weights : weights, serve.rollout, how) };
    }
    const given = outcome({ ...how, index: serve.variant });
    return { id, when, run: () => given };
  });
  const activeRules = rulesEnabled ? served : [];
  const varies = selection.gated || excluded !== null || included !== null || activeRules.length > 0;
  const ownDraw = draw(every, weights, Math.min(selection.rollout, targeting.rollout), {
    reason: blocks !== null ? "TARGETING_MATCH" : varies ? "SPLIT" : "STATIC",
    ruleId: null,
    forced: false,
  });
  const includedArms = every.map((index) => outcome({ index, reason: "TARGETING_MATCH", ruleId: null, forced: true }));
  const includedDraw = createDraw(drawing, weights, 100, { arms: includedArms, outside: rejected, keyMissing });

  return (context, now, trace) => {
    const { targetingKey } = context;
    if (excluded !== null && note(trace, "EXCLUDED_USERS", "excluded_users", excluded.has(targetingKey)))
      return rejected;
    if (included !== null && note(trace, "INCLUDED_USERS", "included_users", included.has(targetingKey))) {
      return includedDraw(context, trace);
    }
    if (blocks !== null && !blocks(context, now, trace)) return rejected;
    const override = overrides?.(context, now, trace) ?? null;
    if (override !== null) return override;
    for (const { id, when, run } of activeRules) {
      if (note(trace, "RULE", id, when(context, now, trace))) return run(context, trace);
    }
    return ownDraw(context, trace);
  };
}
