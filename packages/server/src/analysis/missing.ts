import type { Gap } from "@assay/analysis";

/** When something ran, in ISO 8601; null where it has not started, or not ended. */
export interface Span {
  started_at: string | null;
  ended_at: string | null;
}

/** Why events are missing: they are older than events are kept, or their record failed its checksum. */
export type MissingEvents = "EVENTS_REMOVED" | "EVENTS_DAMAGED";

/**
 * Finds out why events may be missing that were received within a span.
 *
 * @param purgedBefore up to which time of receipt events have gone by age, in milliseconds since 1970; null where none has
 * @param gaps where records are lost; what they held was received between the records beside them
 */
export function findMissing(span: Span, purgedBefore: number | null, gaps: readonly Gap[]): MissingEvents[] {
  if (span.started_at === null) return [];
  const start = Date.parse(span.started_at);
  const end = span.ended_at === null ? Number.POSITIVE_INFINITY : Date.parse(span.ended_at);
  const missing: MissingEvents[] = [];
  if (purgedBefore !== null && start < purgedBefore) missing.push("EVENTS_REMOVED");
  const isTouched = ({ after, before }: Gap) =>
    (before ?? Number.POSITIVE_INFINITY) >= start && (after ?? Number.NEGATIVE_INFINITY) <= end;
  if (gaps.some(isTouched)) missing.push("EVENTS_DAMAGED");
  return missing;
}
