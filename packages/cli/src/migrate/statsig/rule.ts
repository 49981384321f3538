import type { Condition as AssayCondition } from "@assay/core";
import { allOf } from "../mapping/condition.ts";
import { noCounterpart } from "../mapping/no-counterpart.ts";
import { EVERYONE } from "../mapping/rules.ts";
import { type Scope, toCondition, toUnit } from "./condition.ts";
import { bucketOf } from "./draw.ts";
import type { Condition, Rule, Spec } from "./payload.ts";

/** What users get who meet a condition: one of some values by shares, and the default outside of them. */
export interface ReadRule {
  id: string;
  /** Null if it is for everyone. */
  when: AssayCondition | null;
  /** The rules whose values are served, with percentages whose sum is the share of users. */
  arms: { rule: Rule; percentage: number }[];
  /** The attribute that it draws by, and the place among the arms of an id; absent if it draws nothing. */
  draw?: { attribute: string; placeOf(id: string): number | undefined };
}

/** A rule with its conditions apart: those on buckets of users and others. */
interface Parts {
  rule: Rule;
  buckets: Condition[];
  others: Condition[];
}

/** Reads the rules of a spec. Rules that follow each other with growing buckets are one draw. @throws {NoCounterpart} */
export function readRules(spec: Spec, conditions: ReadonlyMap<string, Condition>, scope: Scope): ReadRule[] {
  const all = spec.rules.map((rule) => toParts(rule, conditions));
  const read: ReadRule[] = [];
  for (let at = 0; at < all.length; ) {
    const { rule, buckets } = all[at]!;
    if (rule.configDelegate) noCounterpart(`${rule.id} serves the parameters of the experiment ${rule.configDelegate}`);
    if (buckets.length === 0) {
      read.push(readPlain(all[at]!, spec, scope));
      at += 1;
      continue;
    }
    const size = toSize(all[at]!, spec);
    const run = toRun(all.slice(size ? at + 1 : at));
    at += run.length + (size ? 1 : 0);
    const isShort = Number(run.at(-1)?.buckets[0]?.targetValue) < 1_000;
    if (run.length === 0 || (size && run[0]!.others.length > 0) || (isShort && at < all.length))
      noCounterpart(`${rule.id} draws a share of users, outside of which they come to the next rule`);
    read.push(toDraw(run, size, scope));
  }
  return read;
}

function toParts(rule: Rule, shared: ReadonlyMap<string, Condition>): Parts {
  const all = rule.conditions.map((one) =>
    typeof one === "string" ? (shared.get(one) ?? noCounterpart(`The condition ${one} is not in the source`)) : one,
  );
  const isBucket = ({ type }: Condition) => type.toLowerCase() === "user_bucket";
  return { rule, buckets: all.filter(isBucket), others: all.filter((one) => !isBucket(one)) };
}

function toWhen(conditions: readonly Condition[], scope: Scope): AssayCondition | null {
  return allOf(
    conditions.map((one) => {
      const condition = toCondition(one, scope);
      return condition === EVERYONE ? null : condition;
    }),
  );
}

function readPlain({ rule, others }: Parts, { salt }: Spec, scope: Scope): ReadRule {
  const { id, passPercentage } = rule;
  const read = { id, when: toWhen(others, scope) };
  if (passPercentage <= 0) return { ...read, arms: [] };
  if (passPercentage >= 100) return { ...read, arms: [{ rule, percentage: 100 }] };
  const salts = `${salt}.${rule.salt ?? id}`;
  return {
    ...read,
    arms: [{ rule, percentage: passPercentage }],
    draw: {
      attribute: toUnit(rule.idType),
      placeOf: (one) => (bucketOf(salts, one, 10_000) < passPercentage * 100 ? 0 : undefined),
    },
  };
}

/** Returns the bucket of the rule that gives the default to users outside of an experiment; null for other rules. */
function toSize({ rule, buckets, others }: Parts, { defaultValue }: Spec): Condition | null {
  const isRest = rule.passPercentage <= 0 || JSON.stringify(rule.returnValue) === JSON.stringify(defaultValue);
  const [bucket] = buckets;
  return isRest && buckets.length === 1 && others.length === 0 && bucket!.operator === "gte" ? bucket! : null;
}

/** Returns the first rules that are alike but for a growing bucket. */
function toRun(all: readonly Parts[]): Parts[] {
  const first = all[0];
  const like = ({ rule, buckets, others }: Parts) =>
    JSON.stringify([others, buckets[0]?.additionalValues, buckets[0]?.idType, buckets.length, rule.passPercentage]);
  if (first?.buckets.length !== 1 || first.rule.passPercentage !== 100) return [];
  let before = 0;
  const end = all.findIndex((parts) => {
    const { operator, targetValue } = parts.buckets[0] ?? {};
    const isNext =
      like(parts) === like(first) && operator === "lt" && typeof targetValue === "number" && targetValue >= before;
    if (isNext) before = targetValue;
    return !isNext || parts.rule.configDelegate;
  });
  return end < 0 ? [...all] : all.slice(0, end);
}

function toDraw(run: readonly Parts[], size: Condition | null, scope: Scope): ReadRule {
  const first = run[0]!;
  const bucket = first.buckets[0]!;
  const limits = run.map(({ buckets }) => Math.min(1_000, Number(buckets[0]!.targetValue)));
  const limit = size ? Math.max(0, Math.min(1_000, Number(size.targetValue))) : 1_000;
  const salt = ({ additionalValues }: Condition) => String(additionalValues?.salt);
  if (size && toUnit(size.idType) !== toUnit(bucket.idType)) noCounterpart("It draws by several attributes");
  return {
    id: first.rule.id,
    when: toWhen(first.others, scope),
    arms: run.map(({ rule }, at) => ({ rule, percentage: ((limits[at]! - (limits[at - 1] ?? 0)) * limit) / 10_000 })),
    draw: {
      attribute: toUnit(bucket.idType),
      placeOf(id) {
        if (size && bucketOf(salt(size), id, 1_000) >= limit) return undefined;
        const place = limits.findIndex((one) => bucketOf(salt(bucket), id, 1_000) < one);
        return place < 0 ? undefined : place;
      },
    },
  };
}
