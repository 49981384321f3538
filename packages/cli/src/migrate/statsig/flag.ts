import type { JsonValue, Serve } from "@assay/core";
import { type Arms, createArms } from "../mapping/arms.ts";
import { requireKey } from "../mapping/key.ts";
import type { Draw, FlagBody, MigratedFlag } from "../mapping/migration.ts";
import { noCounterpart } from "../mapping/no-counterpart.ts";
import { type Step, toRules } from "../mapping/rules.ts";
import { readPart } from "../mapping/shape.ts";
import type { Gates } from "./gate.ts";
import { type Named, type Source, Spec } from "./payload.ts";
import { type ReadRule, readRules } from "./rule.ts";

/** A flag, and where the experiment on it draws: among the users whom no rule serves, in a rule, or nowhere. */
export interface Converted {
  flag: MigratedFlag;
  isExperiment: boolean;
  drawnIn: "rest" | "rule" | null;
}

type Split = Pick<FlagBody, "rules" | "rollout_percentage" | "variants" | "value_type" | "default_value">;

/** Converts a gate, dynamic config, experiment or layer. @throws {NoCounterpart} */
export function toFlag({ name, spec: given }: Named, source: Source, gates: Gates, isGate: boolean): Converted {
  const spec = readPart(Spec, given);
  if (spec.entity === "autotune") noCounterpart("Autotune changes its shares by itself");
  const differences = new Set<string>();
  const rules = readRules(spec, source.conditions, gates.scope(differences));
  const last = rules.findIndex(({ when }) => when === null);
  const reached = last < 0 ? rules : rules.slice(0, last + 1);
  const { draws, ...split } = isGate ? toGate(spec, reached) : toConfig(spec, reached);
  const units = new Set(reached.flatMap(({ draw }) => (draw ? [draw.attribute] : [])));
  if (units.size > 1) noCounterpart(`It draws by several attributes: ${[...units].join(", ")}`);
  const [unit = "user_id"] = units;
  const drawing = reached.find(({ arms }) => arms.length > 1);
  return {
    flag: {
      body: {
        key: requireKey(name),
        name,
        description: "",
        status: spec.enabled ? "ACTIVE" : "INACTIVE",
        targeting_rules: null,
        prerequisites: [],
        bucket_by: unit === "user_id" ? null : unit,
        tags: [],
        ...split,
      },
      differences: [...differences],
      notes: spec.targetAppIDs?.length ? ["Target apps"] : [],
      draws,
    },
    isExperiment: spec.entity === "experiment",
    drawnIn: drawing ? (drawing.when === null ? "rest" : "rule") : null,
  };
}

function toGate({ defaultValue }: Spec, rules: readonly ReadRule[]): Split & { draws: Draw[] } {
  if (defaultValue !== false || rules.some(({ arms }) => arms.some(({ rule }) => rule.returnValue !== true)))
    noCounterpart("It is a gate whose rules do not serve true, and false to the rest");
  const draws: Draw[] = [];
  const steps = rules.map(({ id, when, arms, draw }): Step => {
    const rollout_percentage = round(arms.reduce((sum, { percentage }) => sum + percentage, 0));
    const serve = { rollout_percentage };
    if (draw) {
      draws.push({ subject: id, serve, armOf: (one) => (draw.placeOf(one) === undefined ? undefined : "on") });
      return { id, when, serve };
    }
    return { id, when, serve: when === null ? serve : { variant: arms.length > 0 ? "on" : "off" } };
  });
  return { ...toRules(steps), variants: [], value_type: "BOOLEAN", default_value: false, draws };
}

function toConfig({ defaultValue }: Spec, rules: readonly ReadRule[]): Split & { draws: Draw[] } {
  const arms = createArms();
  const draws: Draw[] = [];
  const steps = rules.map((rule): Step => {
    const serve = toServe(rule, arms, defaultValue);
    if (rule.draw && "rollout_percentage" in serve) {
      const keys = serve.variants!.map(({ key }) => key);
      const { placeOf } = rule.draw;
      draws.push({
        subject: rule.id,
        serve,
        armOf(id) {
          const place = placeOf(id);
          return place === undefined ? undefined : keys[place];
        },
      });
    }
    return { id: rule.id, when: rule.when, serve };
  });
  const own = steps.at(-1)?.when === null ? steps.at(-1)!.serve : undefined;
  const shares = own === undefined ? [] : "variant" in own ? [{ key: own.variant, weight: 100 }] : own.variants!;
  if (own === undefined) shares.push({ key: arms.keyOf(defaultValue, "default"), weight: 100 });
  const variants = arms.list(new Map(shares.map(({ key, weight }) => [key, weight])));
  const value_type = arms.valueType();
  if (value_type !== "OBJECT") noCounterpart("Its values are no objects");
  return {
    rules: toRules(own === undefined ? steps : steps.slice(0, -1)).rules,
    rollout_percentage: own === undefined ? 0 : "variant" in own ? 100 : own.rollout_percentage,
    // What is drawn comes first, because the first variant is the control of an experiment.
    variants: [...variants.filter(({ weight }) => weight > 0), ...variants.filter(({ weight }) => weight === 0)],
    value_type,
    default_value: defaultValue as JsonValue,
    draws,
  };
}

function toServe({ arms: served, draw }: ReadRule, arms: Arms, defaultValue: unknown): Serve {
  const keys = served.map(({ rule }) => arms.keyOf(rule.returnValue, rule.groupName || rule.name || undefined));
  if (keys.length === 0) return { variant: arms.keyOf(defaultValue, "default") };
  if (!draw) return { variant: keys[0]! };
  const total = served.reduce((sum, { percentage }) => sum + percentage, 0);
  if (total <= 0 || new Set(keys).size < keys.length) return noCounterpart("Two groups of a draw are the same");
  return {
    rollout_percentage: round(total),
    variants: keys.map((key, at) => ({ key, weight: (served[at]!.percentage / total) * 100 })),
  };
}

/** Removes what sums of fractions leave. */
function round(percentage: number): number {
  return Number(percentage.toFixed(6));
}
