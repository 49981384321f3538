import type { Condition } from "@assay/core";
import { validateFlag, validateSegment } from "@assay/core/server";
import type { FlagBody, MigratedFlag, Migration, SegmentBody, Skipped } from "./migration.ts";

/**
 * Completes what was read: skips what Assay refuses and what depends on something skipped, and orders flags, so that
 * each comes after its prerequisites.
 */
export function complete({ segments, flags, experiments, skipped }: Migration): Migration {
  const more: Skipped[] = [];
  const sound = keep(segments, "segment", ({ name }) => name, problemOfSegment, more);
  const names = new Set(sound.map(({ name }) => name));
  const valid = keep(
    flags,
    "flag",
    ({ body }) => body.key,
    ({ body }) => problemOfFlag(body, names),
    more,
  );
  const ordered = order(valid, more);
  const keys = new Set(ordered.map(({ body }) => body.key));
  const runnable = keep(
    experiments,
    "experiment",
    ({ key }) => key,
    ({ feature_flag_key }) => (keys.has(feature_flag_key) ? null : `Its flag ${feature_flag_key} is not migrated`),
    more,
  );
  return { segments: sound, flags: ordered, experiments: runnable, skipped: [...skipped, ...more] };
}

function keep<T>(
  all: readonly T[],
  kind: Skipped["kind"],
  keyOf: (one: T) => string,
  problemOf: (one: T) => string | null,
  skipped: Skipped[],
): T[] {
  const seen = new Set<string>();
  return all.filter((one) => {
    const key = keyOf(one);
    const reason = seen.has(key) ? `The source has two of them named ${key}` : problemOf(one);
    seen.add(key);
    if (reason !== null) skipped.push({ kind, key, reason });
    return reason === null;
  });
}

function problemOfSegment({ name, user_ids, conditions }: SegmentBody): string | null {
  if (name.trim() === "" || name.length > 255) return "Assay accepts names of 1 to 255 characters";
  return describe(validateSegment({ id: name, name, user_ids, when: conditions }));
}

function problemOfFlag(body: FlagBody, segments: ReadonlySet<string>): string | null {
  const missing = body.rules.flatMap(({ when }) => segmentsOf(when)).find((name) => !segments.has(name));
  if (missing !== undefined) return `It uses the segment ${missing}, which is not migrated`;
  return describe(validateFlag({ ...body, enabled: body.status === "ACTIVE" }));
}

function describe([problem]: { path: readonly (string | number)[]; message: string }[]): string | null {
  return problem ? `Assay refuses ${problem.path.join(".") || "it"}: ${problem.message}` : null;
}

/** Returns the segments that a condition names. */
export function segmentsOf(condition: Condition): string[] {
  if ("all" in condition) return condition.all.flatMap(segmentsOf);
  if ("any" in condition) return condition.any.flatMap(segmentsOf);
  if ("not" in condition) return [condition.not].flat().flatMap(segmentsOf);
  return condition.operator === "IN_SEGMENT" ? [condition.value].flat().map(String) : [];
}

/** Puts each flag after its prerequisites. Flags whose prerequisites are missing or lead back to them are skipped. */
function order(flags: readonly MigratedFlag[], skipped: Skipped[]): MigratedFlag[] {
  const ordered: MigratedFlag[] = [];
  const done = new Set<string>();
  let waiting = [...flags];
  for (let before = -1; waiting.length !== before; ) {
    before = waiting.length;
    waiting = waiting.filter((flag) => {
      if (!flag.body.prerequisites.every(({ flag_key }) => done.has(flag_key))) return true;
      done.add(flag.body.key);
      ordered.push(flag);
      return false;
    });
  }
  for (const { body } of waiting) {
    const missing = body.prerequisites.find(({ flag_key }) => !done.has(flag_key))!.flag_key;
    skipped.push({ kind: "flag", key: body.key, reason: `It depends on the flag ${missing}, which is not migrated` });
  }
  return ordered;
}
