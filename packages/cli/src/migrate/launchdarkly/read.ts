import type { Condition } from "@assay/core";
import { allOf, anyOf, where } from "../mapping/condition.ts";
import type { Migration, Read, SegmentBody, Skipped } from "../mapping/migration.ts";
import { NoCounterpart, noCounterpart } from "../mapping/no-counterpart.ts";
import { EVERYONE } from "../mapping/rules.ts";
import { readEach, readPart } from "../mapping/shape.ts";
import { type SegmentCondition, toAttribute, toCondition } from "./clause.ts";
import { toFlag, toKeys } from "./flag.ts";
import { readSource, Segment, type Source } from "./payload.ts";

/** Reads lists of flags and segments of the REST API, or a file of flags. */
export const readLaunchDarkly: Read = (payloads, options): Migration => {
  const source = readSource(payloads, options);
  const skipped: Skipped[] = [];
  const { segments, condition } = readSegments(source, skipped);
  const keys = new Map(source.flags.map((flag) => [flag.key, toKeys(flag)]));
  const converted = readEach(
    source.flags,
    "flag",
    ({ key }) => key,
    (flag) => toFlag(flag, condition, (key) => keys.get(key) ?? []),
    skipped,
  );
  return {
    segments,
    flags: converted.map(({ flag }) => flag),
    experiments: converted.flatMap(({ experiments }) => experiments),
    skipped: [...skipped, ...converted.flatMap((one) => one.skipped)],
  };
};

/** Converts segments, each after those that it refers to. */
function readSegments(
  { segments }: Source,
  skipped: Skipped[],
): { segments: SegmentBody[]; condition: SegmentCondition } {
  const bodies = new Map<string, SegmentBody>();
  const reasons = new Map<string, string>();
  const open = new Set<string>();
  const condition: SegmentCondition = (key) => {
    read(key);
    const body = bodies.get(key);
    return body
      ? { operator: "IN_SEGMENT", value: body.name }
      : noCounterpart(`It uses the segment ${key}: ${reasons.get(key) ?? "it is not in the source; add it by --with"}`);
  };
  function read(key: string): void {
    const found = segments.get(key);
    if (!found || bodies.has(key) || reasons.has(key)) return;
    if (open.has(key)) noCounterpart(`The segment ${key} refers to itself`);
    open.add(key);
    try {
      const { name, description, fields } = found;
      // Two segments may have one name in LaunchDarkly.
      const isTaken = [...segments.values()].some((other) => other.key !== key && other.name === name);
      bodies.set(key, { name: isTaken ? `${name} (${key})` : name, description, ...toMembers(fields, condition) });
    } catch (error) {
      if (!(error instanceof NoCounterpart)) throw error;
      reasons.set(key, error.message);
      skipped.push({ kind: "segment", key, reason: error.message });
    }
    open.delete(key);
  }
  for (const key of segments.keys()) read(key);
  return { segments: [...bodies.values()], condition };
}

function toMembers(fields: unknown, condition: SegmentCondition): Pick<SegmentBody, "conditions" | "user_ids"> {
  const { included, excluded, includedContexts, excludedContexts, rules, unbounded } = readPart(Segment, fields);
  if (unbounded) noCounterpart("A big segment keeps its members elsewhere");
  if (rules?.some(({ weight }) => typeof weight === "number")) noCounterpart("One of its rules draws a share of users");
  const targets = (list: typeof includedContexts) =>
    (list ?? [])
      .filter(({ values }) => values.length > 0)
      .map(({ values, contextKind }) => where(toAttribute("key", contextKind), "IN", values));
  const left = [
    ...((excluded ?? []).length > 0 ? [where("user_id", "IN", excluded!)] : []),
    ...targets(excludedContexts),
  ];
  const matched = (rules ?? []).map(
    ({ clauses }) => allOf(clauses.map((clause) => toCondition(clause, condition))) ?? EVERYONE,
  );
  const ruled = matched.length > 0 ? allOf([...left.map((one): Condition => ({ not: one })), anyOf(matched)]) : null;
  const any = [...targets(includedContexts), ...(ruled ? [ruled] : [])];
  return { conditions: any.length > 0 ? anyOf(any) : null, user_ids: included ?? [] };
}
