import { compileCondition } from "../targeting/condition.ts";
import { checkKeys, refuse, toPercentage } from "../targeting/definition-error.ts";
import type { Scope, Test } from "../targeting/scope.ts";
import type { FlagRule, Serve } from "./definition.ts";
import { readVariants, type VariantList } from "./variant.ts";

/** What a rule serves: one variant by its key, or a draw over variants. */
export type CompiledServe = { variant: string } | { rollout: number; variants: VariantList };

/** A rule over the variants of its flag or experiment. */
export interface CompiledRule {
  id: string;
  when: Test;
  serve: CompiledServe;
}

/** Compiles one rule. @throws DefinitionError, SyntaxError, TypeError or RangeError for what is not understood. */
export function compileRule({ id, when, serve }: FlagRule, known: VariantList, scope: Scope): CompiledRule {
  if (typeof id !== "string") refuse("Expected the id of a rule");
  return { id, when: compileCondition(when, scope), serve: compileServe(serve, known) };
}

/**
 * Compiles what a rule serves, of the variants that are known.
 *
 * @throws DefinitionError or RangeError for what is not understood.
 */
export function compileServe(serve: Serve, known: VariantList): CompiledServe {
  const check = (key: string) => known.keys.includes(key) || refuse(`No variant ${JSON.stringify(key)}`);
  if ("variant" in serve) {
    checkKeys(serve, ["variant"]);
    check(serve.variant);
    return serve;
  }
  checkKeys(serve, ["rollout_percentage", "variants"]);
  if (serve.rollout_percentage === undefined) refuse("Expected variant or rollout_percentage");
  const variants = serve.variants?.length ? readVariants(serve.variants) : known;
  variants.keys.forEach(check);
  return { rollout: toPercentage(serve.rollout_percentage), variants };
}
