import type { Condition } from "@assay/core";
import { allOf } from "../mapping/condition.ts";
import type { Migration, Read, SegmentBody, Skipped } from "../mapping/migration.ts";
import { NoCounterpart, noCounterpart } from "../mapping/no-counterpart.ts";
import { EVERYONE } from "../mapping/rules.ts";
import { readEach, readPart } from "../mapping/shape.ts";
import { toCondition } from "./constraint.ts";
import { toFlag } from "./feature.ts";
import { Constraint, Feature, readSource, type Source } from "./payload.ts";
import type { SegmentCondition } from "./strategy.ts";

/** Reads `GET /api/client/features` or an export of an environment, and `GET /api/admin/segments`. */
export const readUnleash: Read = (payloads, options): Migration => {
  const source = readSource(payloads, options);
  const skipped: Skipped[] = [];
  const { segments, segment } = readSegments(source, skipped);
  const features = readEach(
    source.features,
    "flag",
    ({ name }) => name,
    (one) => readPart(Feature, one),
    skipped,
  );
  const byName = new Map(features.map((feature) => [feature.name, feature]));
  const flags = readEach(
    features,
    "flag",
    ({ name }) => name,
    (one) => toFlag(one, segment, byName),
    skipped,
  );
  return { segments, flags, experiments: [], skipped };
};

/** Converts segments, whose constraints must all hold. */
function readSegments(
  { segments }: Source,
  skipped: Skipped[],
): { segments: SegmentBody[]; segment: SegmentCondition } {
  const bodies = new Map<number, SegmentBody>();
  const reasons = new Map<number, string>();
  for (const [id, { name, constraints }] of segments) {
    const known = name ?? `Unleash segment ${id}`;
    try {
      const parts = (constraints ?? []).map((one) => toCondition(readPart(Constraint, one)));
      bodies.set(id, { name: known, description: "", conditions: allOf(parts) ?? EVERYONE, user_ids: [] });
    } catch (error) {
      if (!(error instanceof NoCounterpart)) throw error;
      reasons.set(id, error.message);
      skipped.push({ kind: "segment", key: known, reason: error.message });
    }
  }
  const segment = (id: number): Condition => {
    const body = bodies.get(id);
    if (body) return { operator: "IN_SEGMENT", value: body.name };
    const reason =
      reasons.get(id) ?? "its constraints are not in the source; add --with and the answer of /api/admin/segments";
    return noCounterpart(`It uses segment ${id}: ${reason}`);
  };
  return { segments: [...bodies.values()], segment };
}
