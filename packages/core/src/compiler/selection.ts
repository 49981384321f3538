import type { FlagDefinition } from "../format/definition.ts";
import { isAbsent, refuse, toPercentage } from "../format/definition-error.ts";
import type { BucketKey, Decision, Outcome, Predicate, Step } from "../format/program.ts";
import type { Reason } from "../format/result.ts";
import { toTargeting } from "./block.ts";
import { readRule } from "./rule.ts";
import { noted, type Scope } from "./scope.ts";
import { toSplit } from "./split.ts";
import type { VariantList } from "./variant.ts";

/** Creates the outcome of a variant; undefined stands for users outside of the rollout. */
export type ToOutcome<R> = (
  variant: string | undefined,
  reason: Exclude<Reason, "ERROR">,
  rule_id: string | undefined,
  forced: boolean,
) => Outcome<R>;

/** The fields of a selection, which flags and experiments share. The bucketing key is `key`. */
export type Selective = Pick<FlagDefinition, "key" | "bucket_by" | "targeting_rules"> &
  Partial<Pick<FlagDefinition, "rollout_percentage" | "rules" | "rules_enabled">>;

/** The outcomes of a selection. */
export interface Selection<R> {
  variants: VariantList;
  /** Steps that come before it. */
  before: Step<R>[];
  /** The answer for those without a user id, before the first step that could serve them a variant. */
  keyMissing: Step<R>[];
  /** Forced arms, between the blocks and the rules. */
  overrides?: Step<R>[];
  outcome: ToOutcome<R>;
  /** Outcome for excluded users, and for users whom the blocks do not match. */
  rejected: Outcome<R>;
}

const ALWAYS: Predicate = ["all", []];

/**
 * Lowers excluded users, included users, targeting blocks, overrides, rules and rollout to steps in that order.
 *
 * @throws DefinitionError, SyntaxError, TypeError or RangeError for an invalid definition
 */
export function toDecision<R>(
  { key, bucket_by, targeting_rules, rollout_percentage, rules, rules_enabled }: Selective,
  { variants, before, keyMissing, overrides = [], outcome, rejected }: Selection<R>,
  scope: Scope,
): Decision<R> {
  if (typeof key !== "string") refuse("Expected a key");
  if (!isAbsent(bucket_by) && typeof bucket_by !== "string") refuse("Expected an attribute in bucket_by");
  const { blocks, excluded, included, ...targeting } = toTargeting(targeting_rules ?? {}, scope);
  const steps = [...before];
  const bucketKey: BucketKey = { key, bucket_by: bucket_by ?? undefined };

  /**
   * Creates a split between some of the variants. Its reason is that of a draw, unless nothing is drawn: one variant has
   * all users, or none has any.
   */
  const splitOver = (
    where: Predicate,
    list: VariantList,
    rollout: number,
    reason: Exclude<Reason, "ERROR">,
    id?: string,
  ) =>
    toSplit(
      where,
      bucketKey,
      list,
      rollout,
      (variant, isConstant) =>
        outcome(variant, !isConstant ? "SPLIT" : variant === undefined ? "DEFAULT" : reason, id, id !== undefined),
      scope,
    );

  if (excluded !== null) steps.push([noted(scope, excluded, "EXCLUDED_USERS", "excluded_users"), rejected]);
  // After a rollback to 0%, rules and included users are off too.
  const isOn = rules_enabled !== false;
  if (included !== null && isOn) {
    const where = noted(scope, included, "INCLUDED_USERS", "included_users");
    const toIncluded = (variant: string | undefined) => outcome(variant, "TARGETING_MATCH", undefined, true);
    steps.push(toSplit(where, bucketKey, variants, 100, toIncluded, scope));
  }
  if (blocks !== null) steps.push([["not", blocks], rejected]);
  const rollout = Math.min(toPercentage(rollout_percentage), targeting.rollout);
  if (rollout > 0 || overrides.length > 0 || (isOn && rules && rules.length > 0)) steps.push(...keyMissing);
  steps.push(...overrides);
  for (const rule of rules ?? []) {
    const { id, when, served } = readRule(rule, variants, scope);
    if (!isOn) continue;
    const where = noted(scope, when, "RULE", id);
    if ("variant" in served) steps.push([where, outcome(served.variant, "TARGETING_MATCH", id, true)]);
    else steps.push(splitOver(where, served.variants, served.rollout, "TARGETING_MATCH", id));
  }
  const reason = blocks !== null ? "TARGETING_MATCH" : steps.length > overrides.length ? "SPLIT" : "STATIC";
  const own = splitOver(ALWAYS, variants, rollout, reason);
  if (scope.describe) steps.push(own);
  return { steps, otherwise: own[1] };
}
