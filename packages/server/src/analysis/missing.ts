import type { Gap } from "@assay/analysis";

/** When something ran, in ISO 8601. Null if it has not started or ended. */
export interface Span {
  started_at: string | null;
  ended_at: string | null;
}

/**
 * Why events are missing: they exceeded the retention period, their record failed its checksum, or the engine does not have
 * them yet.
 */
export type MissingEvents = "EVENTS_REMOVED" | "EVENTS_DAMAGED" | "EVENTS_DELAYED";

/**
 * Finds out why events received within a span may be missing.
 *
 * @param purgedBefore events received before this time were purged by age, in milliseconds since 1970; null if never
 * purged
 * @param gaps lost records; their events were received between the neighboring records
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
