import { note } from "#platform";
import { createBucketer } from "../bucketing/bucket.ts";
import { compileTargeting } from "../targeting/block.ts";
import { refuse, toPercentage } from "../targeting/definition-error.ts";
import type { Scope, Trace } from "../targeting/scope.ts";
import type { FlagDefinition } from "./definition.ts";
import { createDraw, type Drawing } from "./draw.ts";
import type { EvaluationContext, Reason } from "./result.ts";
import { compileRule } from "./rule.ts";
import type { VariantList } from "./variant.ts";

/** Answers one context with one of the outcomes made at compile time. */
export type Run<T> = (context: EvaluationContext, now: number | undefined, trace: Trace) => T;

/** What those who are given a variant answer, null outside the rollout, and why: by which rule, by name or drawn. */
export type ToOutcome<T> = (variant: string | null, reason: Reason, ruleId: string | null, forced: boolean) => T;

/** What a flag and an experiment say alike of who gets which arm; the bucketing key is `key`. */
export type Selective = Pick<FlagDefinition, "key" | "bucket_by" | "targeting_rules"> &
  Partial<Pick<FlagDefinition, "rollout_percentage" | "rules" | "rules_enabled">>;

/** What comes of a selection. */
export interface Selection<T> {
  variants: VariantList;
  /** Whether something before the selection depends on the user, so that nothing is the same for everyone. */
  gated: boolean;
  /** Arms given by name, between the blocks and the rules; answers null where it gives none. */
  overrides?: Run<T | null>;
  outcome: ToOutcome<T>;
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
export function compileSelection<T>(
  { key, bucket_by = null, targeting_rules, rollout_percentage, rules: listed, rules_enabled }: Selective,
  { variants, gated, outcome, rejected, keyMissing, overrides }: Selection<T>,
  scope: Scope,
): Run<T> {
  if (typeof key !== "string") refuse("Expected a key");
  if (bucket_by !== null && typeof bucket_by !== "string") refuse("Expected an attribute in bucket_by");
  const drawing: Drawing = { key, bucketBy: bucket_by, hash: createBucketer(key) };
  const { blocks, excluded, ...targeting } = compileTargeting(targeting_rules ?? {}, scope);
  // After a rollback to nobody, rules and included users are off too.
  const isOn = rules_enabled !== false;
  const included = isOn ? targeting.included : null;

  /** A draw over some of the variants, which has another reason than the split only where one variant has them all. */
  const draw = (list: VariantList, rollout: number, reason: Reason, ruleId: string | null) =>
    createDraw(
      drawing,
      list,
      rollout,
      (variant, isConstant) =>
        outcome(variant, isConstant && variant !== null ? reason : "SPLIT", ruleId, ruleId !== null),
      keyMissing,
    );
  const compiled = (listed ?? []).map((rule) => {
    const { id, when, serve } = compileRule(rule, variants, scope);
    if (!("variant" in serve)) {
      return { id, when, run: draw(serve.variants, serve.rollout, "TARGETING_MATCH", id) };
    }
    const given = outcome(serve.variant, "TARGETING_MATCH", id, true);
    return { id, when, run: () => given };
  });
  const rules = isOn ? compiled : [];
  const varies = gated || excluded !== null || included !== null || rules.length > 0;
  const reason = blocks !== null ? "TARGETING_MATCH" : varies ? "SPLIT" : "STATIC";
  const rollout = Math.min(toPercentage(rollout_percentage), targeting.rollout);
  const ownDraw = draw(variants, rollout, reason, null);
  const toIncluded = (variant: string | null) => outcome(variant, "TARGETING_MATCH", null, true);
  const includedDraw = createDraw(drawing, variants, 100, toIncluded, keyMissing);

  return (context, now, trace) => {
    const { targetingKey } = context;
    if (excluded !== null) {
      const isExcluded = excluded.has(targetingKey);
      note(trace, "EXCLUDED_USERS", "excluded_users", isExcluded);
      if (isExcluded) return rejected;
    }
    if (included !== null) {
      const isIncluded = included.has(targetingKey);
      note(trace, "INCLUDED_USERS", "included_users", isIncluded);
      if (isIncluded) return includedDraw(context, trace);
    }
    if (blocks !== null && !blocks(context, now, trace)) return rejected;
    const override = overrides?.(context, now, trace) ?? null;
    if (override !== null) return override;
    for (const { id, when, run } of rules) {
      const matched = when(context, now, trace);
      note(trace, "RULE", id, matched);
      if (matched) return run(context, trace);
    }
    return ownDraw(context, trace);
  };
}
