import type { Migration, Read, SegmentBody, Skipped } from "../mapping/migration.ts";
import { NoCounterpart, noCounterpart } from "../mapping/no-counterpart.ts";
import { readEach, readPart } from "../mapping/shape.ts";
import { toMembers } from "./condition.ts";
import { type SegmentCondition, toFlag } from "./feature.ts";
import { Rule, readDocument } from "./payload.ts";

/** Reads an environment document. */
export const readFlagsmith: Read = (payloads, options): Migration => {
  const document = readDocument(payloads, options);
  const skipped: Skipped[] = [];
  const bodies = new Map<number, SegmentBody>();
  const reasons = new Map<number, string>();
  for (const { id, name, rules } of document.project.segments) {
    try {
      const conditions = toMembers(rules.map((rule) => readPart(Rule, rule)));
      // Two segments may have one name in Flagsmith.
      const isTaken = document.project.segments.some((other) => other.id !== id && other.name === name);
      bodies.set(id, { name: isTaken ? `${name} (${id})` : name, description: "", conditions, user_ids: [] });
    } catch (error) {
      if (!(error instanceof NoCounterpart)) throw error;
      reasons.set(id, error.message);
      skipped.push({ kind: "segment", key: name, reason: error.message });
    }
  }
  const segment: SegmentCondition = (id) => {
    const body = bodies.get(id);
    return body
      ? { operator: "IN_SEGMENT", value: body.name }
      : noCounterpart(`It has a state for a segment: ${reasons.get(id)}`);
  };
  const flags = readEach(
    document.feature_states,
    "flag",
    ({ feature }) => feature.name,
    (one) => toFlag(one, document, segment),
    skipped,
  );
  return { segments: [...bodies.values()], flags, experiments: [], skipped };
};
