import { createBucketer } from "../bucketing/bucket.ts";
import { linkDraw } from "../program/decision.ts";
import { drawn } from "../program/drawn.ts";
import type { Links, Test } from "../program/links.ts";
import { linkPredicate } from "../program/predicate.ts";
import type { Predicate } from "../program/program.ts";
import type { LinkedSegment } from "../program/segment.ts";
import type { TraceStep } from "./result.ts";

/** Links whose programs explain their answers: every step goes into the trace. */
export function toExplaining(links: Links, trace: TraceStep[]): Links {
  const segments = new Map<string, LinkedSegment | undefined>();
  const explaining: Links = {
    ...links,
    segment(name) {
      if (!segments.has(name)) {
        const segment = links.segment(name);
        segments.set(name, segment?.explain?.(trace, explaining) ?? segment);
      }
      return segments.get(name);
    },
    explain: (predicate) => explain(predicate, links, explaining, note),
  };
  function note(step: TraceStep["step"], subject: string, matched: boolean, detail: string): void {
    trace.push({ step, subject, matched, detail });
  }
  return explaining;
}

type TakeNote = (step: TraceStep["step"], subject: string, matched: boolean, detail: string) => void;

/** Links predicates that tell more than whether they hold, or nothing but that. */
function explain(predicate: Predicate, links: Links, explaining: Links, note: TakeNote): Test | undefined {
  switch (predicate[0]) {
    case "note": {
      const [, part, step, subject, detail] = predicate;
      const test = linkPredicate(part, explaining);
      return (context, now) => {
        const matched = test(context, now);
        note(step, subject, matched, detail ?? (matched ? "holds" : "does not hold"));
        return matched;
      };
    }
    case "noteDraw": {
      const [, drawing, draw, rollout] = predicate;
      const arms = draw.ends.map(() => true);
      const run = linkDraw<boolean | null>(draw, drawing, [...arms, false], null);
      return (context, now) => {
        const isInside = run(context, now);
        const bucket = drawn[0]!;
        if (isInside !== null) note("ROLLOUT", drawing.key, isInside, `bucket ${bucket.toFixed(6)} at ${rollout} %`);
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
        note(isHoldout ? "HOLDOUT" : "BLOCK", subject, matched !== outside, `bucket ${bucket}`);
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
          const result = links.flag(flag_key)?.run(context, now);
          const isMet = test(context, now);
          const detail = result ? `served ${JSON.stringify(result.value)} (${result.reason})` : "no such flag";
          note("PREREQUISITE", flag_key, isMet, detail);
          return isMet;
        });
    }
  }
  return undefined;
}
