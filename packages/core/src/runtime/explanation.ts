import { createBucketer } from "../bucketing/bucket.ts";
import type { Predicate } from "../format/program.ts";
import type { TraceStep } from "../format/result.ts";
import { readAttribute } from "../values/attribute.ts";
import { MAX_MATCHED } from "../values/pattern-length.ts";
import { linkSplit } from "./decision.ts";
import { evaluationState } from "./evaluation-state.ts";
import type { Links, Test } from "./links.ts";
import { linkPredicate } from "./predicate.ts";
import type { LinkedSegment } from "./segment.ts";

/** The maximum number of explained steps, because a segment repeats its conditions for each reference to it. */
const MAX_TOLD = 1_000;

/** Creates links for programs that explain their results: each step goes into the trace. */
export function toExplaining(links: Links, trace: TraceStep[]): Links {
  // By the segment itself: one that is asked by its id and by its name is the same, so that a cycle ends in the same place.
  const segments = new Map<LinkedSegment | undefined, LinkedSegment | undefined>();
  const explaining: Links = {
    ...links,
    segment(name) {
      const segment = links.segment(name);
      if (!segments.has(segment)) segments.set(segment, segment?.explain?.(trace, explaining) ?? segment);
      return segments.get(segment);
    },
    explain: (predicate) => explain(predicate, links, explaining, note),
  };
  const note: TakeNote = (step, subject, matched, detail, read) => {
    if (trace.length < MAX_TOLD) trace.push({ step, subject, matched, detail, ...read });
  };
  return explaining;
}

type TakeNote = (
  step: TraceStep["step"],
  subject: string,
  matched: boolean,
  detail: string,
  read?: Pick<TraceStep, "attribute" | "bucket" | "rollout_percentage"> | "",
) => void;

/** Links predicates that explain more than whether they hold, or nothing else. */
function explain(predicate: Predicate, links: Links, explaining: Links, note: TakeNote): Test | undefined {
  switch (predicate[0]) {
    case "note": {
      const [, part, step, subject, detail] = predicate;
      const test = linkPredicate(part, explaining);
      const attribute = attributeOf(part);
      return (context, now) => {
        const matched = test(context, now);
        let result = detail ?? (matched ? "holds" : "does not hold");
        const values = part[0] === "matches" ? [readAttribute(context, part[1])].flat() : [];
        if (values.some((value) => typeof value === "string" && value.length > MAX_MATCHED))
          result += ` (not tried on more than ${MAX_MATCHED} characters)`;
        note(step, subject, matched, result, attribute && { attribute });
        return matched;
      };
    }
    case "noteSplit": {
      const [, bucketKey, split, rollout_percentage] = predicate;
      const { outcomes, ends, fills } = split;
      const run = linkSplit<number | null>(split, bucketKey, [...outcomes.keys()], null, {});
      return (context, now) => {
        const drawn = run(context, now);
        if (drawn === null) return true;
        const bucket = evaluationState[0]!;
        const matched = drawn < ends.length;
        const detail = `bucket ${bucket.toFixed(6)} at ${rollout_percentage} %`;
        note("ROLLOUT", bucketKey.key, matched, detail, { bucket, rollout_percentage });
        const start = ends[drawn - 1] ?? 0;
        // A single variant has the whole rollout, which is no split.
        if (matched && fills[drawn]! - start < rollout_percentage / 100) {
          const { variant } = outcomes[drawn] as { variant: string };
          note("VARIANT", variant, matched, `bucket from ${start} to ${fills[drawn]}`, { bucket });
        }
        return true;
      };
    }
    case "slots": {
      const [, key, , outside] = predicate;
      const test = linkPredicate(predicate, links);
      const hash = createBucketer(key);
      const isHoldout = key.startsWith("holdout:");
      const subject = isHoldout ? key.slice("holdout:".length) : key.replace(":", " ");
      return (context, now) => {
        const matched = test(context, now);
        const bucket = hash(context.targetingKey!);
        note(isHoldout ? "HOLDOUT" : "BLOCK", subject, matched !== outside, `bucket ${bucket}`, { bucket });
        return matched;
      };
    }
    case "requires": {
      const tests = predicate[1].map((required) => ({
        ...required,
        test: linkPredicate(["requires", [required]], links),
      }));
      return (context, now) =>
        tests.every(({ flag_key, test }) => {
          // Explaining counts no steps, so that an explained answer equals an unexplained one.
          const steps = evaluationState[1]!;
          const result = links.flag(flag_key)?.run(context, now);
          evaluationState[1] = steps;
          const isMet = test(context, now);
          const detail = result ? `served ${JSON.stringify(result.value)} (${result.reason})` : "no such flag";
          note("PREREQUISITE", flag_key, isMet, detail);
          return isMet;
        });
    }
  }
  return undefined;
}

/** Returns the attribute that a condition or block reads, if it reads one. */
function attributeOf([kind, operand]: Predicate): string | undefined {
  if (kind === "not") return attributeOf(operand);
  return typeof operand === "string" ? operand : undefined;
}
