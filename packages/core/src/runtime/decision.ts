import { createBucketer } from "../bucketing/bucket.ts";
import type { BucketKey, Decision, Outcome, Split, Then } from "../format/program.ts";
import { isId, readAttribute } from "../values/attribute.ts";
import { evaluationState } from "./evaluation-state.ts";
import type { Links, Run } from "./links.ts";
import { linkPredicate } from "./predicate.ts";

/**
 * Links a decision to a function over answers that are created here, once.
 *
 * @param answer answers an outcome
 * @param keyMissing the answer if a hash is needed and there is no user id to hash
 * @throws like `linkPredicate`
 */
export function linkDecision<R, T>(
  { steps, otherwise }: Decision<R>,
  bucketKey: BucketKey,
  answer: (outcome: Outcome<R>) => T,
  keyMissing: T,
  links: Links,
): Run<T> {
  const linkThen = (then: Then<R>): Run<T> => {
    if ("ends" in then) return linkSplit(then, bucketKey, then.outcomes.map(answer), keyMissing, links);
    const answered = answer(then);
    return () => answered;
  };
  const last = linkThen(otherwise);
  if (steps.length === 0) return last;
  const linked = steps.map(([predicate, then]) => ({ test: linkPredicate(predicate, links), run: linkThen(then) }));
  return (context, now) => {
    for (const { test, run } of linked) if (test(context, now)) return run(context, now);
    return last(context, now);
  };
}

/** Links a split, with one result for each of its outcomes. */
export function linkSplit<T>(
  { ends, fills }: Split<unknown>,
  { key, bucket_by }: BucketKey,
  answers: readonly T[],
  keyMissing: T,
  { limit }: Pick<Links, "limit">,
): Run<T> {
  const hash = createBucketer(key);
  return (context) => {
    const unit = bucket_by === undefined ? context.targetingKey : readAttribute(context, bucket_by);
    const id = typeof unit === "number" ? String(unit) : unit;
    if (!isId(id)) return keyMissing;
    limit?.count(id.length);
    const bucket = hash(id);
    evaluationState[0] = bucket;
    let index = 0;
    while (bucket >= ends[index]!) index += 1;
    return answers[bucket < fills[index]! ? index : ends.length]!;
  };
}
