import type { JsonValue, Serve } from "@assay/core";
import { type Arms, createArms, typeOf } from "../mapping/arms.ts";
import { allOf, isGiven } from "../mapping/condition.ts";
import { requireKey } from "../mapping/key.ts";
import type { Draw, ExperimentBody, MigratedFlag, Skipped } from "../mapping/migration.ts";
import { noCounterpart } from "../mapping/no-counterpart.ts";
import { type Step, toRules } from "../mapping/rules.ts";
import { readPart } from "../mapping/shape.ts";
import type { GroupCondition } from "./condition.ts";
import { Definition, type Feature } from "./payload.ts";
import { isGate, type ReadRule, readRule, toPrerequisites } from "./rule.ts";

/** A feature, with the experiment that runs on it. */
export interface Converted {
  flag: MigratedFlag;
  experiments: ExperimentBody[];
  skipped: Skipped[];
}

/** Converts a feature. @throws {NoCounterpart} */
export function toFlag(feature: Feature, group: GroupCondition): Converted {
  const { key, enabled } = feature;
  if (feature.definition === undefined) noCounterpart("The source has no definition of it in this environment");
  const { defaultValue, rules: given = [] } = readPart(Definition, feature.definition);
  const first = given.findIndex((rule) => !isGate(rule));
  const gates = first < 0 ? given : given.slice(0, first);
  const value_type = typeOf(defaultValue);
  const arms = createArms();
  const defaultKey = arms.keyOf(defaultValue);
  const rules = given
    .slice(gates.length)
    .map((rule, index) => readRule(rule, index + 1, key, arms, group))
    .filter((rule) => rule !== null);
  if (arms.valueType() !== value_type) noCounterpart("Its values have several types");
  const last = rules.findIndex(({ when, isPartial }) => when === null && !isPartial);
  const reached = last < 0 ? rules : rules.slice(0, last + 1);
  const early = reached.find((rule, index) => rule.isPartial && index < reached.length - 1 && isShort(rule));
  if (early) noCounterpart(`Users outside of the share of ${early.id} come to the next rule; in Assay, they would not`);
  // While it is off, or a feature that it needs is, GrowthBook answers nothing instead of the default.
  const isSilent = !enabled || gates.length > 0;
  const silent: JsonValue = value_type === "BOOLEAN" ? false : null;
  const default_value = isSilent ? silent : (defaultValue as JsonValue);
  const isExplicit = isSilent && JSON.stringify(defaultValue) !== JSON.stringify(silent);
  const steps = reached.map((rule, index) =>
    toStep(rule, index === reached.length - 1, isExplicit ? defaultKey : null),
  );
  if (isExplicit) steps.push({ id: "default", when: null, serve: { variant: defaultKey } });
  const attributes = new Set(reached.flatMap(({ hashAttribute }) => (hashAttribute ? [hashAttribute] : [])));
  if (attributes.size > 1) noCounterpart(`It draws by several attributes: ${[...attributes].join(", ")}`);
  const [attribute = "user_id"] = attributes;
  const { variants, ...ruled } = fold(steps, arms, value_type === "BOOLEAN" && default_value === false);
  const flag: MigratedFlag = {
    body: {
      key: requireKey(key),
      name: key,
      description: feature.description,
      status: enabled ? "ACTIVE" : "INACTIVE",
      ...ruled,
      targeting_rules: null,
      prerequisites: gates.flatMap(toPrerequisites),
      variants,
      value_type,
      default_value,
      bucket_by: attribute === "user_id" ? null : attribute,
      tags: feature.tags,
    },
    differences: reached.some(({ experiment }) => experiment?.fallbackAttribute)
      ? ["Assay does not look for another attribute if the one that is hashed is missing"]
      : [],
    notes: [],
    draws: reached.flatMap((rule, index) => toDraw(rule, steps[index]!.serve, isExplicit ? defaultKey : undefined)),
  };
  return { flag, ...toExperiments(feature, reached) };
}

/** Whether some users who meet its condition are not served by a rule although they have the attribute to draw by. */
function isShort({ serve }: ReadRule): boolean {
  return "rollout_percentage" in serve && serve.rollout_percentage < 100;
}

function toStep({ id, when, serve, hashAttribute }: ReadRule, isLast: boolean, otherwise: string | null): Step {
  const needs = hashAttribute !== undefined && !isLast ? isGiven(hashAttribute) : null;
  return { id, when: allOf([when, needs]), serve: withRest(serve, otherwise) };
}

/** Gives the share of users that a draw leaves out to a variant. */
function withRest(serve: Serve, otherwise: string | null): Serve {
  if (otherwise === null || !("rollout_percentage" in serve) || serve.rollout_percentage >= 100) return serve;
  const share = serve.rollout_percentage / 100;
  const weights = new Map(serve.variants!.map(({ key, weight }) => [key, weight * share]));
  weights.set(otherwise, (weights.get(otherwise) ?? 0) + 100 - serve.rollout_percentage);
  return { rollout_percentage: 100, variants: [...weights].map(([key, weight]) => ({ key, weight })) };
}

function toDraw(rule: ReadRule, serve: Serve, otherwise: string | undefined): Draw[] {
  if (!rule.armOf || !("rollout_percentage" in serve)) return [];
  return [{ subject: rule.id, serve, armOf: (id) => rule.armOf!(id) ?? otherwise }];
}

/** Converts steps to rules. The split of a last step for everyone becomes that of the flag itself. */
function fold(steps: readonly Step[], arms: Arms, isOff: boolean) {
  const last = steps.at(-1);
  const own = last?.when === null ? last.serve : undefined;
  const { rules } = toRules(own ? steps.slice(0, -1) : steps);
  const shares = own ? sharesOf(own) : [];
  const rollout_percentage = own === undefined ? 0 : "variant" in own ? 100 : own.rollout_percentage;
  // What is drawn comes first, because the first variant is the control of an experiment. The default needs no variant.
  const used = new Set([...shares, ...rules.flatMap(({ serve }) => sharesOf(serve))].map(({ key }) => key));
  const listed = arms.list(new Map(shares.map(({ key, weight }) => [key, weight])));
  const variants = used.size > 0 ? [...used].map((key) => listed.find((one) => one.key === key)!) : listed.slice(0, 1);
  if (shares.length === 0) variants[0]!.weight = 100;
  const isPlain = isOff && rules.length === 0 && variants.length === 1 && variants[0]!.key === "on";
  return { rules, rollout_percentage, variants: isPlain ? [] : variants };
}

function sharesOf(serve: Serve): { key: string; weight: number }[] {
  return "variant" in serve ? [{ key: serve.variant, weight: 100 }] : serve.variants!;
}

/** An experiment draws as its flag does, so it has to be the last rule, for everyone. */
function toExperiments(feature: Feature, rules: readonly ReadRule[]): Pick<Converted, "experiments" | "skipped"> {
  const experiments: ExperimentBody[] = [];
  const skipped: Skipped[] = [];
  rules.forEach(({ experiment, when }, index) => {
    if (!experiment) return;
    const key = experiment.key || feature.key;
    if (when !== null || index < rules.length - 1) {
      const reason = `It is part of the rules of ${feature.key}; an experiment of Assay is on all users of a flag whom no rule serves`;
      skipped.push({ kind: "experiment", key, reason });
      return;
    }
    const description = experiment.phase ? `Phase ${experiment.phase}` : "";
    experiments.push({
      key: requireKey(key),
      name: experiment.name || key,
      description,
      feature_flag_key: feature.key,
    });
  });
  return { experiments, skipped };
}
