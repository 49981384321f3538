import type { FlagRule, Serve } from "../format/definition.ts";
import { checkKeys, refuse, toPercentage } from "../format/definition-error.ts";
import type { Predicate } from "../format/program.ts";
import { toPredicate } from "./condition.ts";
import type { Scope } from "./scope.ts";
import { readVariants, type VariantList } from "./variant.ts";

/** What a rule serves: one variant, or a split between variants. */
export type Served = { variant: string } | { rollout: number; variants: VariantList };

/** A rule that has been read. */
export interface Rule {
  id: string;
  when: Predicate;
  served: Served;
}

/** Reads one rule. @throws DefinitionError, SyntaxError, TypeError or RangeError for an invalid rule */
export function readRule({ id, when, serve }: FlagRule, known: VariantList, scope: Scope): Rule {
  if (typeof id !== "string") refuse("Expected the id of a rule");
  return { id, when: toPredicate(when, scope), served: readServe(serve, known) };
}

/**
 * Reads what a rule serves, from the known variants.
 *
 * @throws DefinitionError or RangeError for an invalid value
 */
export function readServe(serve: Serve, known: VariantList): Served {
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
