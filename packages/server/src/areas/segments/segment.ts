import type { SegmentCreate, SegmentUpdate } from "@assay/contract";
import type { Condition } from "@assay/core";
import { invalid } from "../../ground/errors.ts";
import type { SegmentRecord } from "../../model/segment.ts";

/** The fields of a segment from a body, and the location of its conditions for errors. */
export interface MergedSegment {
  fields: Pick<SegmentRecord, "name" | "description" | "status" | "conditions" | "user_ids">;
  /** Maps a path in the stored tree to a path in the body. */
  toBodyPath(path: readonly (string | number)[]): (string | number)[];
}

/** Merges a body into the stored segment, if any: absent fields keep their value, null clears. @throws ApiError 422 */
export function mergeSegment(
  current: SegmentRecord | null,
  body: SegmentUpdate & Partial<SegmentCreate>,
): MergedSegment {
  if (body.conditions != null && body.rules != null) {
    throw invalid(["body", "rules"], "Send either conditions (all must match) or rules (one must match)");
  }
  const field = body.conditions === undefined && body.rules !== undefined ? "rules" : "conditions";
  const given = body[field];
  return {
    fields: {
      name: body.name ?? current?.name ?? "",
      description: body.description === undefined ? (current?.description ?? "") : (body.description ?? ""),
      status: body.status ?? current?.status ?? "ACTIVE",
      conditions:
        given === undefined ? (current?.conditions ?? null) : toTree(given, field === "rules" ? "any" : "all"),
      user_ids: body.user_ids === undefined ? (current?.user_ids ?? []) : [...new Set(body.user_ids ?? [])],
    },
    toBodyPath([, ...path]) {
      if (!Array.isArray(given)) return [field, ...path];
      // The stored tree has no list around a single condition, and a branch around several.
      return given.length === 1 ? [field, 0, ...path] : [field, ...path.slice(1)];
    },
  };
}

/** Normalizes conditions to one form. An empty list means no condition. */
function toTree(given: Condition | Condition[] | null, branch: "all" | "any"): Condition | null {
  if (given === null) return null;
  if (!Array.isArray(given)) return given;
  if (given.length <= 1) return given[0] ?? null;
  return branch === "all" ? { all: given } : { any: given };
}
