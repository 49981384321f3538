import type { FlagVariant, Prerequisite, Serve } from "@assay/core";
import { allOf } from "../mapping/condition.ts";
import { requireKey } from "../mapping/key.ts";
import type { Draw, MigratedFlag } from "../mapping/migration.ts";
import { noCounterpart } from "../mapping/no-counterpart.ts";
import { type Step, toRules } from "../mapping/rules.ts";
import { toAttribute } from "./constraint.ts";
import { isInside, variantOf } from "./draw.ts";
import type { Feature, Variant } from "./payload.ts";
import { type Activation, readStrategy, type SegmentCondition } from "./strategy.ts";
import { isOnTime, toTimeWindow } from "./time-window.ts";
import { toOverrides, toShares, toVariants } from "./variant.ts";

/** Converts a feature. @throws {NoCounterpart} */
export function toFlag(
  feature: Feature,
  segment: SegmentCondition,
  features: ReadonlyMap<string, Feature>,
): MigratedFlag {
  const strategies = feature.strategies.filter(({ disabled }) => disabled !== true);
  if (strategies.length === 0 && feature.strategies.length > 0) noCounterpart("All of its strategies are disabled");
  const given = strategies.length > 0 ? strategies : [{ name: "default" }];
  const times = given.flatMap(({ constraints }) => (constraints ?? []).filter(isOnTime));
  if (times.length > 0 && given.length > 1)
    noCounterpart("Constraints on the current time have a counterpart only in a flag with one strategy");
  const read = given.map((strategy, index) => readStrategy(strategy, index + 1, feature.name, segment));
  const listsOf = read.map(({ strategy }) =>
    strategy.variants?.length ? strategy.variants : (feature.variants ?? []),
  );
  const isVaried = listsOf.some((list) => list.length > 0);
  if (isVaried && listsOf.some((list) => list.length === 0))
    noCounterpart("Some of its strategies have variants, and others have none");
  const { value_type, variants } = isVaried
    ? toVariants(listsOf)
    : { value_type: "BOOLEAN" as const, variants: [] as FlagVariant[] };
  const mapped = read
    .map((activation, index) => ({ activation, list: listsOf[index]! }))
    .filter(({ activation }) => activation.share > 0);
  const isOrdered = given.some(({ variants }) => variants?.length);
  // One strategy suffices, so their order matters only for variants. A user who meets several gets the largest share.
  if (!isOrdered) mapped.sort((left, right) => right.activation.share - left.activation.share);
  const parts = mapped.map(({ activation, list }) => toParts(activation, list, feature, variants));
  const draws = parts.flatMap(({ draw }) => (draw ? [draw] : []));
  const bucket_by = toBucketBy(parts.flatMap(({ fields }) => fields));
  const { rules, rollout_percentage } = toRules(parts.flatMap(({ steps }) => steps));
  return {
    body: {
      key: requireKey(feature.name),
      name: feature.name,
      description: feature.description ?? "",
      status: feature.enabled ? "ACTIVE" : "INACTIVE",
      rollout_percentage,
      targeting_rules: toTimeWindow(times),
      rules,
      prerequisites: toPrerequisites(feature, features),
      variants,
      value_type,
      default_value: isVaried ? null : false,
      bucket_by,
      tags: feature.tags ?? [],
    },
    differences: [
      ...describeOverlap(
        mapped.map(({ activation }) => activation),
        isOrdered,
      ),
      ...describeStickiness(parts.flatMap(({ fields }) => fields)),
    ],
    notes: feature.impressionData ? ["Impression data: Assay records exposures of experiments"] : [],
    draws,
  };
}

function toParts(activation: Activation, list: readonly Variant[], feature: Feature, variants: readonly FlagVariant[]) {
  const { id, when, share, groupId, stickiness, strategy } = activation;
  const isOwn = (strategy.variants?.length ?? 0) > 0;
  const shares = list.length > 0 ? toShares(list) : [];
  const isWhole =
    shares.length === variants.length &&
    shares.every(({ key, weight }, at) => variants[at]!.key === key && variants[at]!.weight === weight);
  const serve = { rollout_percentage: share, ...(!isWhole && { variants: shares }) };
  const steps: Step[] = toOverrides(list).map((override, index) => ({
    id: `${id}-override-${index + 1}`,
    when: allOf([when, override.when]),
    serve: only(override.key, share),
  }));
  steps.push({ id, when, serve });
  // Strategy variants are drawn in the group of their strategy as it is given, those of a feature in its name.
  const variantGroup = isOwn ? String(strategy.parameters?.groupId) : feature.name;
  const fields: string[] = [];
  if (share < 100) fields.push(stickiness);
  if (shares.filter(({ weight }) => weight > 0).length > 1)
    fields.push(list[0]!.stickiness || (isOwn && String(strategy.parameters?.stickiness ?? "")) || "default");
  const armOf = (one: string) => {
    if (share < 100 && !isInside(groupId, one, share)) return undefined;
    return list.length > 0 ? variantOf(variantGroup, one, list) : "on";
  };
  const draw: Draw | null = fields.length > 0 ? { subject: id, serve, armOf } : null;
  return { steps, fields, draw };
}

function only(key: string, share: number): Serve {
  return share === 100 ? { variant: key } : { rollout_percentage: share, variants: [{ key, weight: 100 }] };
}

/** Returns the attribute that all draws use; null for the user id. */
function toBucketBy(fields: readonly string[]): string | null {
  const attributes = new Set(
    fields.map((field) => (["default", "random", "userId"].includes(field) ? null : toAttribute(field))),
  );
  if (attributes.size > 1)
    noCounterpart(
      `It draws by several context fields (${[...new Set(fields)].join(", ")}); a flag of Assay draws by one`,
    );
  return [...attributes][0] ?? null;
}

function describeStickiness(fields: readonly string[]): string[] {
  return [
    ...(fields.includes("random") ? ["Unleash draws at each evaluation; Assay draws once for each user id"] : []),
    ...(fields.includes("default")
      ? ["Without a user id, Unleash draws by the session or at random; Assay serves the default"]
      : []),
  ];
}

function describeOverlap(activations: readonly Activation[], isOrdered: boolean): string[] {
  const partial = activations.filter(({ share }) => share < 100);
  const isLast = activations.at(-1) === partial[0];
  if (isOrdered && partial.length > 0 && !isLast)
    return ["Users outside of a strategy's share do not come to the next strategy; Assay serves them the default"];
  const groups = new Set(partial.map(({ groupId, stickiness }) => `${stickiness}:${groupId}`));
  return groups.size > 1
    ? ["Users who meet several strategies are drawn once in Assay, at the largest share, and several times in Unleash"]
    : [];
}

function toPrerequisites({ dependencies }: Feature, features: ReadonlyMap<string, Feature>): Prerequisite[] {
  return (dependencies ?? []).map(({ feature, enabled, variants }) => {
    const parent = features.get(feature);
    if (!parent) return noCounterpart(`The feature ${feature} that it depends on is not in the source`);
    if (parent.dependencies?.length) return noCounterpart(`The feature ${feature} has dependencies of its own`);
    const isVaried = [parent.variants, ...parent.strategies.map((one) => one.variants)].some((list) => list?.length);
    if (enabled === false)
      return isVaried
        ? noCounterpart(`It depends on ${feature} being off, which has variants`)
        : { flag_key: feature, value: false };
    if (!variants?.length) return { flag_key: feature };
    return variants.length === 1
      ? { flag_key: feature, variant: variants[0]! }
      : noCounterpart(`It depends on one of several variants of ${feature}`);
  });
}
