import type { Condition, Prerequisite, Serve } from "@assay/core";
import type { Arms } from "../mapping/arms.ts";
import { allOf, isGiven } from "../mapping/condition.ts";
import { noCounterpart } from "../mapping/no-counterpart.ts";
import { type GroupCondition, toAttribute, toCondition } from "./condition.ts";
import { hash, variationOf, weightsOf } from "./draw.ts";
import type { Rule } from "./payload.ts";

/** A rule that has been read. */
export interface ReadRule {
  id: string;
  when: Condition | null;
  serve: Serve;
  /** The attribute that it draws by; undefined if it draws nothing. */
  hashAttribute?: string;
  armOf?: (id: string) => string | undefined;
  /** The rule, if it is an experiment. */
  experiment?: Rule;
  /** Whether users outside of its share come to the next rule. */
  isPartial: boolean;
}

/** Whether a rule only asks for another feature, without which the whole feature has no value. */
export function isGate({ parentConditions, force, variations }: Rule): boolean {
  return parentConditions?.every(({ gate }) => gate) === true && force === undefined && !variations;
}

/** Converts the parents that a feature needs. @throws {NoCounterpart} */
export function toPrerequisites(rule: Rule): Prerequisite[] {
  return (rule.parentConditions ?? []).map(({ id, condition }) => {
    const [[name, value] = [], ...others] = Object.entries(condition);
    const isSimple =
      name === "value" && others.length === 0 && (value === true || (typeof value === "string" && value !== ""));
    return isSimple
      ? { flag_key: id, value: value as string | true }
      : noCounterpart(`It needs ${JSON.stringify(condition)} of the feature ${id}`);
  });
}

/** Reads a rule; null if it serves nobody. @throws {NoCounterpart} */
export function readRule(
  rule: Rule,
  place: number,
  feature: string,
  arms: Arms,
  group: GroupCondition,
): ReadRule | null {
  const id = rule.id && rule.id.length <= 80 ? rule.id : `rule-${place}`;
  if (rule.parentConditions?.length) noCounterpart(`${id} depends on another feature, which rules cannot`);
  if (rule.filters?.length || rule.namespace) noCounterpart(`${id} is in a namespace`);
  if (rule.range || rule.ranges) noCounterpart(`${id} has ranges of its own`);
  if (rule.meta?.some(({ passthrough }) => passthrough)) noCounterpart(`${id} passes users on to later rules`);
  const when = rule.condition ? toCondition(rule.condition, group) : null;
  if ("force" in rule && rule.force !== undefined) return readForce(rule, id, when, feature, arms);
  return rule.variations ? readExperiment(rule, id, when, feature, arms) : null;
}

function readForce(rule: Rule, id: string, when: Condition | null, feature: string, arms: Arms): ReadRule | null {
  const { coverage, seed } = rule;
  const key = arms.keyOf(rule.force);
  if (coverage === undefined) return { id, when, serve: { variant: key }, isPartial: false };
  if (coverage <= 0) return null;
  const hashAttribute = toAttribute(rule.hashAttribute ?? "id");
  // Even with full coverage, a user without the attribute is not included.
  const given = allOf([when, isGiven(hashAttribute)]);
  if (coverage >= 1) return { id, when: given, serve: { variant: key }, isPartial: false };
  return {
    id,
    when,
    serve: { rollout_percentage: coverage * 100, variants: [{ key, weight: 100 }] },
    hashAttribute,
    armOf: (one) => (hash(seed || feature, one, rule.hashVersion ?? 1) <= coverage ? key : undefined),
    isPartial: true,
  };
}

function readExperiment(rule: Rule, id: string, when: Condition | null, feature: string, arms: Arms): ReadRule | null {
  const variations = rule.variations!;
  const coverage = Math.max(0, Math.min(1, rule.coverage ?? 1));
  if (variations.length < 2 || coverage === 0) return null;
  const weights = weightsOf(variations.length, rule.weights);
  const keys = variations.map((value, index) => arms.keyOf(value, rule.meta?.[index]?.key ?? String(index)));
  const name = rule.key || feature;
  return {
    id,
    when,
    serve: {
      rollout_percentage: coverage * 100,
      variants: keys.map((key, at) => ({ key, weight: weights[at]! * 100 })),
    },
    hashAttribute: toAttribute(rule.hashAttribute ?? "id"),
    armOf: (one) => keys[variationOf(hash(rule.seed || name, one, rule.hashVersion ?? 1), weights, coverage)],
    experiment: rule,
    isPartial: true,
  };
}
