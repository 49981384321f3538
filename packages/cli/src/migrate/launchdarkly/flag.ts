import type { FlagVariant, JsonValue } from "@assay/core";
import { typeOf } from "../mapping/arms.ts";
import { allOf, where } from "../mapping/condition.ts";
import { isKey, requireKey } from "../mapping/key.ts";
import type { Draw, ExperimentBody, MigratedFlag, Skipped } from "../mapping/migration.ts";
import { noCounterpart } from "../mapping/no-counterpart.ts";
import { EVERYONE } from "../mapping/rules.ts";
import { readPart } from "../mapping/shape.ts";
import { type SegmentCondition, toAttribute, toCondition } from "./clause.ts";
import { type Flag, Settings } from "./payload.ts";
import { type Served, toServed } from "./serving.ts";

/** A flag, with the experiment that runs on it. */
export interface Converted {
  flag: MigratedFlag;
  experiments: ExperimentBody[];
  skipped: Skipped[];
}

/** Converts a flag. @param keysOf returns the keys of the variants of a flag by its key. @throws {NoCounterpart} */
export function toFlag(
  source: Flag,
  segment: SegmentCondition,
  keysOf: (flag: string) => readonly string[],
): Converted {
  if (source.settings === undefined) noCounterpart("The source has no settings of it in this environment");
  const settings = readPart(Settings, source.settings);
  if (settings.migration) noCounterpart("Migration flags have no counterpart");
  const keys = toKeys(source);
  const types = new Set(source.variations.map(({ value }) => typeOf(value)));
  if (types.size !== 1) noCounterpart("Its variations have several types");
  const [value_type = "BOOLEAN"] = types;
  const about = { key: source.key, salt: settings.salt ?? "" };
  const fallthrough = toServed(settings.fallthrough ?? noCounterpart("It has no fallthrough"), keys, about);
  const rules = (settings.rules ?? [])
    .filter(({ disabled }) => disabled !== true)
    .map((rule, index) => ({
      id: `rule-${index + 1}`,
      when: allOf(rule.clauses.map((clause) => toCondition(clause, segment))) ?? EVERYONE,
      served: toServed(rule, keys, about),
    }));
  const draws = [...rules.map(({ id, served }) => toDraw(id, served)), toDraw("default rule", fallthrough)].flat();
  const own = fallthrough.serve;
  const weights = new Map(
    "variant" in own ? [[own.variant, 100]] : own.variants!.map(({ key, weight }) => [key, weight]),
  );
  const off = typeof settings.offVariation === "number" ? source.variations[settings.offVariation]?.value : undefined;
  const isDeferring = off === undefined && value_type === "BOOLEAN";
  const flag: MigratedFlag = {
    body: {
      key: requireKey(source.key),
      name: source.name,
      description: source.description,
      status: settings.on && !source.archived ? "ACTIVE" : "INACTIVE",
      rollout_percentage: 100,
      targeting_rules: null,
      rules: [
        ...toTargets(settings, keys),
        ...rules.map(({ id, when, served }) => ({ id, when, serve: served.serve })),
      ],
      prerequisites: (settings.prerequisites ?? []).map(({ key, variation }) => ({
        flag_key: key,
        variant: keysOf(key)[variation] ?? noCounterpart(`The flag ${key} that it depends on is not in the source`),
      })),
      variants: source.variations.map(({ value }, index): FlagVariant => {
        const key = keys[index]!;
        return { key, weight: weights.get(key) ?? 0, value: value as JsonValue };
      }),
      value_type,
      default_value: (off as JsonValue | undefined) ?? (value_type === "BOOLEAN" ? false : null),
      bucket_by: toBucketBy([...rules.map(({ served }) => served), fallthrough]),
      tags: source.tags,
    },
    differences: isDeferring
      ? ["It has no off variation: while it is off, Assay serves false, not the caller's default"]
      : [],
    notes: [],
    draws,
  };
  return { flag, ...toExperiments(source, fallthrough, rules) };
}

/** Returns a key for each variation: its name, or else its value or place. */
export function toKeys({ variations }: Flag): string[] {
  const keys: string[] = [];
  for (const [index, { name, value }] of variations.entries()) {
    const named = [name, typeof value === "boolean" ? (value ? "on" : "off") : value, `variation-${index + 1}`];
    const key = named.find((one): one is string => typeof one === "string" && isKey(one) && !keys.includes(one));
    keys.push(key ?? `variation-${index + 1}-${keys.length}`);
  }
  return keys;
}

/** Individual targets come before rules. If there are targets of several kinds, their list has the order of all. */
function toTargets({ targets, contextTargets }: Settings, keys: readonly string[]) {
  const own = targets ?? [];
  const ordered =
    (contextTargets ?? []).length === 0
      ? own
      : contextTargets!.flatMap((target) => {
          if (target.contextKind && target.contextKind !== "user") return [target];
          return own.filter(({ variation }) => variation === target.variation).slice(0, 1);
        });
  const given = ordered.filter(({ values }) => values.length > 0);
  return given.map(({ values, variation, contextKind }, index) => ({
    id: `target-${index + 1}`,
    when: where(toAttribute("key", contextKind), "IN", values),
    serve: { variant: keys[variation ?? -1] ?? noCounterpart(`It has no variation ${variation}`) },
  }));
}

function toDraw(subject: string, { serve, armOf }: Served): Draw[] {
  return armOf && "rollout_percentage" in serve ? [{ subject, serve, armOf }] : [];
}

function toBucketBy(all: readonly Served[]): string | null {
  const attributes = new Set(all.flatMap(({ attribute }) => (attribute ? [attribute] : [])));
  if (attributes.size > 1) noCounterpart(`It draws by several attributes: ${[...attributes].join(", ")}`);
  const [attribute = "user_id"] = attributes;
  return attribute === "user_id" ? null : attribute;
}

function toExperiments({ key, name }: Flag, fallthrough: Served, rules: readonly { id: string; served: Served }[]) {
  const skipped = rules
    .filter(({ served }) => served.isExperiment)
    .map(
      ({ id }): Skipped => ({
        kind: "experiment",
        key,
        reason: `It is on ${id}; an experiment of Assay is on all users of a flag whom no rule serves`,
      }),
    );
  const experiments: ExperimentBody[] = fallthrough.isExperiment
    ? [{ key, name, description: "", feature_flag_key: key }]
    : [];
  return { experiments, skipped };
}
