import type { Condition, Serve } from "@assay/core";
import { createArms } from "../mapping/arms.ts";
import { where } from "../mapping/condition.ts";
import { requireKey } from "../mapping/key.ts";
import type { Draw, FlagBody, MigratedFlag } from "../mapping/migration.ts";
import { noCounterpart } from "../mapping/no-counterpart.ts";
import { type Step, toRules } from "../mapping/rules.ts";
import { hash } from "./draw.ts";
import type { EnvironmentDocument, FeatureState } from "./payload.ts";

/** A state, and for whom it is; null is for everyone. */
interface Case {
  id: string;
  when: Condition | null;
  state: FeatureState;
}

/** Returns the condition of a segment. @throws {NoCounterpart} */
export type SegmentCondition = (id: number) => Condition;

/** Converts a feature. @throws {NoCounterpart} */
export function toFlag(base: FeatureState, document: EnvironmentDocument, segment: SegmentCondition): MigratedFlag {
  const { name } = base.feature;
  const cases = toCases(base, document, segment);
  const isValued = cases.some(({ state }) => state.enabled && hasValue(state));
  const draws: Draw[] = [];
  const arms = createArms();
  const steps = cases.map(({ id, when, state }): Step => {
    if (!state.enabled) return { id, when, serve: { rollout_percentage: 0 } };
    if (!isValued) return { id, when, serve: { rollout_percentage: 100 } };
    return { id, when, serve: toServe(id, state, document, arms, draws) };
  });
  const value_type: FlagBody["value_type"] = isValued ? arms.valueType() : "BOOLEAN";
  // In Assay, a boolean flag with the value false is off.
  if (isValued && value_type === "BOOLEAN") noCounterpart("It has the values true and false, besides being enabled");
  const own = steps.at(-1)!.serve;
  const shares = "variant" in own ? [{ key: own.variant, weight: 100 }] : (own.variants ?? []);
  const weights = new Map(shares.map(({ key, weight }) => [key, weight]));
  const variants = isValued ? arms.list(weights) : [];
  // A flag that is off for everyone still needs weights.
  if (variants.length > 0 && weights.size === 0) variants[0]!.weight = 100;
  return {
    body: {
      key: requireKey(name),
      name,
      description: "",
      status: "ACTIVE",
      rules: toRules(steps.slice(0, -1)).rules,
      rollout_percentage: "variant" in own ? 100 : own.rollout_percentage,
      targeting_rules: null,
      prerequisites: [],
      variants,
      value_type,
      default_value: value_type === "BOOLEAN" ? false : null,
      bucket_by: null,
      tags: [],
    },
    differences: [],
    notes: cases.some(({ state }) => !state.enabled && hasValue(state)) ? ["Values of states that are disabled"] : [],
    draws,
  };
}

/** The states of a feature in their order: of identities, of segments by priority, of the environment. */
function toCases(
  base: FeatureState,
  { identity_overrides, project }: EnvironmentDocument,
  segment: SegmentCondition,
): Case[] {
  const { name } = base.feature;
  const isOwn = ({ feature }: FeatureState) => feature.name === name;
  const ofIdentities = (identity_overrides ?? []).flatMap(({ identifier, identity_features }) =>
    identity_features.filter(isOwn).map((state) => ({ when: where("user_id", "IN", [identifier]), state })),
  );
  const priorityOf = ({ feature_segment }: FeatureState) => feature_segment?.priority ?? Infinity;
  const ofSegments = project.segments
    .flatMap(({ id, feature_states }) => feature_states.filter(isOwn).map((state) => ({ id, state })))
    .sort((left, right) =>
      priorityOf(left.state) < priorityOf(right.state) ? -1 : priorityOf(left.state) > priorityOf(right.state) ? 1 : 0,
    )
    .map(({ id, state }) => ({ when: segment(id), state }));
  return [...ofIdentities, ...ofSegments, { when: null, state: base }].map((one, index) => ({
    id: `rule-${index + 1}`,
    ...one,
  }));
}

function hasValue({ feature_state_value, multivariate_feature_state_values }: FeatureState): boolean {
  return isValue(feature_state_value) || (multivariate_feature_state_values ?? []).length > 0;
}

function isValue(value: unknown): boolean {
  return value !== null && value !== undefined && value !== "";
}

function toServe(
  id: string,
  state: FeatureState,
  { api_key }: EnvironmentDocument,
  arms: ReturnType<typeof createArms>,
  draws: Draw[],
): Serve {
  const options = (state.multivariate_feature_state_values ?? [])
    .map((one) => ({
      place: one.id ?? BigInt(`0x${(one.mv_fs_value_uuid ?? "0").replace(/-/g, "")}`),
      share: one.percentage_allocation,
      value: one.multivariate_feature_option.value,
    }))
    .sort((left, right) => (left.place < right.place ? -1 : left.place > right.place ? 1 : 0));
  const keyOf = (value: unknown) =>
    isValue(value)
      ? arms.keyOf(value)
      : noCounterpart("One of its states is enabled without a value, another one has a value");
  const rest = 100 - options.reduce((sum, { share }) => sum + share, 0);
  const weights = new Map<string, number>();
  const give = (key: string, weight: number) => weight > 0 && weights.set(key, (weights.get(key) ?? 0) + weight);
  if (rest > 0) give(keyOf(state.feature_state_value), rest);
  const drawn = options.map(({ share, value }) => ({ share, key: keyOf(value) }));
  for (const { share, key } of drawn) give(key, share);
  const variants = [...weights].map(([key, weight]) => ({ key, weight }));
  if (variants.length === 1) return { variant: variants[0]!.key };
  const serve = { rollout_percentage: 100, variants };
  const object = state.django_id ? String(state.django_id) : (state.featurestate_uuid ?? "");
  const armOf = (identifier: string) => {
    const percentage = hash(object, `${api_key}_${identifier}`);
    let limit = 0;
    for (const { share, key } of drawn) {
      limit += share;
      if (percentage < limit) return key;
    }
    return keyOf(state.feature_state_value);
  };
  draws.push({ subject: id, serve, armOf });
  return serve;
}
