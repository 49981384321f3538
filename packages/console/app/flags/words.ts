import type { Condition, FeatureFlag, TargetingRules } from "@assay/client";
import type { Fact } from "../parts/diff.tsx";
import { toMinute, toPercent, toValue } from "../parts/format.ts";
import { TEXT } from "../text.ts";

type Flag = Pick<FeatureFlag, "status" | "rollout_percentage" | "value_type" | "default_value"> &
  Partial<Pick<FeatureFlag, "rules" | "rules_enabled" | "targeting_rules" | "variants" | "prerequisites">>;

const WORDS = TEXT.words;
const toList = (values: readonly unknown[]) =>
  values.length > 4 ? `${values.slice(0, 3).join(", ")} or ${values.length - 3} more` : values.join(" or ");

/** Says a condition in words. */
export function sayCondition(condition: Condition): string {
  if ("all" in condition) return condition.all.map(sayBranch).join(WORDS.and) || WORDS.anyUser;
  if ("any" in condition) return condition.any.map(sayBranch).join(WORDS.or);
  if ("not" in condition) {
    return WORDS.not([condition.not].flat().map(sayBranch).join(WORDS.and));
  }
  const { attribute, operator, value } = condition;
  const words = WORDS.operators[operator];
  const what = Array.isArray(value) ? value.join(", ") : value === undefined ? "" : String(value);
  return [attribute, words, what].filter((part) => part !== undefined && part !== "").join(" ");
}

function sayBranch(condition: Condition): string {
  const parts = "all" in condition ? condition.all : "any" in condition ? condition.any : [];
  return parts.length > 1 ? `(${sayCondition(condition)})` : sayCondition(condition);
}

/** Says what a rule serves. */
export function sayServe(serve: FeatureFlag["rules"][number]["serve"]): string {
  if ("variant" in serve) return WORDS.serveVariant(serve.variant);
  const split = serve.variants?.map(({ key, weight }) => `${key} ${toPercent(weight)}`).join(", ");
  return WORDS.serveShare(toPercent(serve.rollout_percentage)) + (split ? ` (${split})` : "");
}

/** Says the targeting blocks in words, one part each. */
export function sayTargeting(blocks: TargetingRules | null | undefined): string[] {
  if (!blocks) return [];
  const { countries, browsers, user_segments, user_attributes, time_rules, included_users, excluded_users } = blocks;
  const say = WORDS.blocks;
  return [
    countries?.length ? say.countries(toList(countries)) : "",
    browsers?.length ? say.browsers(toList(browsers)) : "",
    user_segments?.length ? say.user_segments(toList(user_segments)) : "",
    ...Object.entries(user_attributes ?? {}).map(([name, values]) => say.user_attributes(name, toList(values))),
    time_rules ? say.time_rules : "",
    blocks.rollout_percentage === undefined ? "" : say.rollout_percentage(toPercent(blocks.rollout_percentage)),
    included_users?.length ? say.included_users(included_users.length) : "",
    excluded_users?.length ? say.excluded_users(excluded_users.length) : "",
  ].filter((part) => part !== "");
}

/** Returns the variants that divide users. A boolean flag without variants lists on and off, which have no weights. */
export function dividingVariants({ variants = [], value_type }: Partial<Flag>): FeatureFlag["variants"] {
  const isListed = value_type === "BOOLEAN" && variants.every(({ weight }) => weight === undefined);
  return isListed ? [] : variants;
}

/** Says in one sentence who gets what. */
export function sayFlag(flag: Flag): string {
  const say = TEXT.flag.sentence;
  const off = toValue(flag.default_value);
  if (flag.status === "ARCHIVED") return say.archived;
  if (flag.status === "INACTIVE") return say.off(off);
  const variants = dividingVariants(flag);
  const on = variants.length === 1 ? toValue(variants[0]?.value) : variants.length > 1 ? say.split : WORDS.on;
  const blocks = sayTargeting(flag.targeting_rules);
  const who = blocks.length > 0 ? say.targeted(blocks.join(WORDS.and)) : say.users;
  const share = flag.rollout_percentage;
  let sentence: string = say.share(toPercent(share), who, on, off);
  if (share === 0) sentence = say.nobody(off);
  else if (share === 100) sentence = blocks.length > 0 ? say.all(who, on, off) : say.everyone(on);
  const rules = flag.rules_enabled === false ? 0 : (flag.rules?.length ?? 0);
  const needs = (flag.prerequisites ?? []).map(
    ({ flag_key, variant, value }) => `${flag_key} is ${variant ?? toValue(value ?? true)}`,
  );
  return sentence + (rules > 0 ? say.rules(rules) : "") + (needs.length > 0 ? say.needs(needs.join(WORDS.and)) : "");
}

const yesOrNo = (value: unknown) => (value ? WORDS.yes : WORDS.no);
const SAY: Record<string, (value: never) => string> = {
  status: (status: FeatureFlag["status"]) => TEXT.flags.states[status],
  rollout_percentage: (share: number) => toPercent(share),
  targeting_rules: (blocks: TargetingRules | null) => sayTargeting(blocks).join(WORDS.and) || TEXT.none,
  rules_enabled: (enabled: boolean) => (enabled ? WORDS.active : WORDS.paused),
  prerequisites: (all: FeatureFlag["prerequisites"]) =>
    all.map(({ flag_key, variant, value }) => `${flag_key} is ${variant ?? toValue(value ?? true)}`).join(", ") ||
    TEXT.none,
  client_side: yesOrNo,
  permanent: yesOrNo,
  defer_to_caller: yesOrNo,
  expires_at: (time: string | null) => (time ? toMinute(time) : TEXT.never),
  tags: (tags: string[]) => tags.join(", ") || TEXT.none,
  name: (name: string) => name,
  description: (text: string) => text || TEXT.none,
  value_type: (type: FeatureFlag["value_type"]) => TEXT.newFlag.types[type],
  default_value: (value: unknown) => toValue(value),
  value_schema: (schema: unknown) => (schema === null ? TEXT.none : JSON.stringify(schema)),
  bucket_by: (attribute: string | null) => attribute ?? TEXT.none,
};

const toLabel = (field: string, value?: unknown) => {
  const label = WORDS.facts[field] ?? field;
  return typeof label === "function" ? label(value as never) : label;
};

/** Says the given fields of a flag in lines, so that two versions can be compared. Leaves out fields without meaning. */
export function toFacts(fields: Partial<FeatureFlag>): Fact[] {
  return Object.entries(fields).flatMap(([field, value]): Fact[] => {
    if (value === undefined) return [];
    if (field === "rules") {
      return (value as FeatureFlag["rules"]).map(({ id, when, serve }, index) => ({
        label: toLabel("rule", index + 1),
        text: `${id}: if ${sayCondition(when)}, ${sayServe(serve)}`,
      }));
    }
    if (field === "variants") {
      return (value as FeatureFlag["variants"]).map((variant) => ({
        label: toLabel("variant", variant.key),
        text: toValue(variant.value) + (variant.weight === undefined ? "" : `, ${toPercent(variant.weight)}`),
      }));
    }
    const say = SAY[field];
    if (say) return [{ label: toLabel(field), text: say(value as never) }];
    return field === "metadata" ? [{ label: toLabel(field), text: JSON.stringify(value) }] : [];
  });
}
