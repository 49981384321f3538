import { compileCondition } from "../targeting/condition.ts";
import { checkKeys, refuse, toPercentage } from "../targeting/definition-error.ts";
import type { Scope, Test } from "../targeting/scope.ts";
import type { FlagRule, Serve } from "./definition.ts";
import { readVariants, type VariantList } from "./variant.ts";

/** What a rule serves: a variant by its index, or a draw over variants by their indexes. */
export type CompiledServe = { variant: number } | { rollout: number; indexes: number[]; weights: number[] };

/** A rule over the variants of its flag or experiment. */
export interface CompiledRule {
  id: string;
  when: Test;
  serve: CompiledServe;
}

/** Compiles one rule. @throws DefinitionError, SyntaxError, TypeError or RangeError for what is not understood. */
export function compileRule({ id, when, serve }: FlagRule, keys: readonly string[], scope: Scope): CompiledRule {
  if (typeof id !== "string") refuse("Expected the id of a rule");
  return { id, when: compileCondition(when, scope), serve: compileServe(serve, keys) };
}

/** Compiles what a rule serves. @throws DefinitionError or RangeError for what is not understood. */
export function compileServe(serve: Serve, keys: readonly string[]): CompiledServe {
  const toIndex = (key: string) => {
    const index = keys.indexOf(key);
    return index < 0 ? refuse(`No variant ${JSON.stringify(key)}`) : index;
  };
  if ("variant" in serve) {
    checkKeys(serve, ["variant"]);
    return { variant: toIndex(serve.variant) };
  }
  checkKeys(serve, ["rollout_percentage", "variants"]);
  if (serve.rollout_percentage === undefined) refuse("Expected variant or rollout_percentage");
  const chosen: VariantList | null = serve.variants?.length ? readVariants(serve.variants) : null;
  return {
    rollout: toPercentage(serve.rollout_percentage),
    indexes: (chosen?.keys ?? keys).map(toIndex),
    weights: chosen?.weights ?? [],
  };
}
