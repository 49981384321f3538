import { readPercentage } from "../targeting/block.ts";
import { compileCondition } from "../targeting/condition.ts";
import { checkKeys, isAbsent, isRecord, isString, LIMITS, own, type Path } from "../targeting/problem.ts";
import type { Scope, Test } from "../targeting/scope.ts";
import { readVariants, type VariantList } from "./variant.ts";

/** What a rule serves: a variant by its index, or a draw of its own. */
export type CompiledServe =
  | { variant: number }
  | { rollout: number /** Indexes into the owner's variants. */; variants: number[]; weights: number[] };

export interface CompiledRule {
  id: string;
  when: Test;
  serve: CompiledServe;
}

/** Compiles ordered `{id, when, serve}` rules over the variants of a flag or experiment. */
export function compileRules(rules: unknown, variants: VariantList, scope: Scope, path: Path): CompiledRule[] {
  if (isAbsent(rules)) return [];
  const refuse = (message: string, ...below: (string | number)[]) => {
    scope.problems.push({ path: [...path, ...below], message });
  };
  if (!Array.isArray(rules)) {
    refuse("Expected a list of rules");
    return [];
  }
  if (rules.length > LIMITS.rules) {
    refuse(`At most ${LIMITS.rules} rules, not ${rules.length}`);
    return [];
  }
  const compiled: CompiledRule[] = [];
  rules.forEach((rule: unknown, index) => {
    const at = [...path, index];
    const id = isRecord(rule) ? own(rule, "id") : undefined;
    if (!isRecord(rule) || !isString(id)) {
      refuse("Expected a rule with an id", index);
      return;
    }
    const when = compileCondition(own(rule, "when"), scope, [...at, "when"]);
    const serve = compileServe(own(rule, "serve"), variants, scope, [...at, "serve"]);
    if (serve !== null) compiled.push({ id, when, serve });
  });
  return compiled;
}

function compileServe(serve: unknown, variants: VariantList, scope: Scope, path: Path): CompiledServe | null {
  const refuse = (message: string, ...below: (string | number)[]) => {
    scope.problems.push({ path: [...path, ...below], message });
    return null;
  };
  if (!isRecord(serve)) return refuse("Expected {variant} or {rollout_percentage, variants?}");
  const named = own(serve, "variant");
  if (named !== undefined) {
    checkKeys(serve, ["variant"], path, scope.problems);
    const variant = variants.keys.indexOf(String(named));
    return variant < 0 ? refuse(`No variant ${JSON.stringify(named)}`, "variant") : { variant };
  }
  checkKeys(serve, ["rollout_percentage", "variants"], path, scope.problems);
  const rollout = readPercentage(own(serve, "rollout_percentage"), scope, [...path, "rollout_percentage"]);
  if (rollout === null) return refuse("Expected a percentage from 0 to 100", "rollout_percentage");
  const chosen = readVariants(own(serve, "variants"), [...path, "variants"], scope.problems);
  if (chosen.keys.length === 0)
    return { rollout, variants: variants.keys.map((_, index) => index), weights: variants.weights };
  const indexes = chosen.keys.map((key, index) => {
    const found = variants.keys.indexOf(key);
    if (found < 0) refuse(`No variant ${JSON.stringify(key)}`, "variants", index, "key");
    return found;
  });
  return { rollout, variants: indexes, weights: chosen.weights };
}
