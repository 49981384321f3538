import { OTHER } from "./attributes.ts";
import type { EventLog } from "./event-log.ts";
import { exposureKinds, FORCED, type Participants } from "./exposure.ts";
import { type GroupStatistics, sumUpGroups } from "./groups.ts";
import { reorder } from "./slot-order.ts";
import type { Span, Subject } from "./subject.ts";
import { attendanceOf } from "./sufficient-statistics.ts";

/** The segment of users whose first exposure lacks the attribute. */
export const UNKNOWN = "(unknown)";
/** The maximum number of separate segments; smaller ones are merged into {@link OTHER}. */
const MAX_SEGMENTS = 100;

export interface BreakdownOptions {
  /** Name of the attribute. */
  dimension: string;
  /** Id or name of one metric; null for all. */
  metric: string | null;
}

/** The users of one value of an attribute. */
export interface BreakdownSegment extends GroupStatistics {
  segment: string;
}

/** The segments of an experiment, the largest first. */
export interface BreakdownStatistics {
  /** Ids of the metrics to sum. */
  metrics: string[];
  segments: BreakdownSegment[];
}

/**
 * Sums an experiment by attributes of users' first exposures: later attributes may already be effects of the treatment.
 * The first exposure is the one that results use; if several have the same time, the first to have arrived.
 */
export function computeBreakdown(
  log: EventLog,
  subject: Subject,
  { dimension, metric }: BreakdownOptions,
): BreakdownStatistics {
  const { spans, participants: found, metrics } = attendanceOf(log, subject, metric);
  const { names, groups: codes } = segmentsOf(log, subject, spans, found, dimension);
  const { participants, ends } = reorder(found, codes, names.length);
  const groups = sumUpGroups(log, subject, { spans, participants, metrics }, ends);
  const segments = groups.map((group, index) => ({ segment: names[index]!, ...group }));
  return { metrics: metrics.map(({ id }) => id), segments };
}

/** Returns the names of the segments, at most `most` with the largest first, and by slot the number of its segment. */
export function segmentsOf(
  log: EventLog,
  subject: Subject,
  spans: readonly Span[],
  participants: Participants,
  dimension: string,
  most = MAX_SEGMENTS,
): { names: string[]; groups: Uint32Array } {
  const { length, slots } = participants;
  const column = log.attributes.find(subject.experimentId, dimension);
  const values = [...(column?.values ?? []), UNKNOWN];
  const codes = new Uint32Array(length).fill(values.length - 1);
  if (column) {
    const first = firstRows(log, subject, spans, participants);
    for (let index = 0; index < column.length; index++) {
      const row: number = column.rows[index]!;
      const slot = slots[log.rows.users[row]!]!;
      if (slot >= 0 && first[slot] === row) codes[slot] = column.codes[index]!;
    }
  }
  const sizes = new Map<string, number>();
  for (let slot = 0; slot < length; slot++) {
    const name = values[codes[slot]!]!;
    sizes.set(name, (sizes.get(name) ?? 0) + 1);
  }
  const bySize = [...sizes].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([name]) => name);
  const shown = bySize.length <= most ? bySize : bySize.slice(0, most - 1);
  const names = shown.length < bySize.length && !shown.includes(OTHER) ? [...shown, OTHER] : shown;
  const numbers = new Map(names.map((name, number) => [name, number]));
  const groupOf = Uint32Array.from(values, (name) => numbers.get(name) ?? numbers.get(OTHER) ?? 0);
  return { names, groups: codes.map((code) => groupOf[code]!) };
}

/** Returns the row of each participant's first exposure, by slot. */
function firstRows(
  log: EventLog,
  subject: Subject,
  spans: readonly Span[],
  { slots, since, length }: Participants,
): Float64Array {
  const { arms, flags } = exposureKinds(log, subject);
  const isDrawn = Uint8Array.from(arms, (arm, kind) => (arm !== 0 && (flags[kind]! & FORCED) === 0 ? 1 : 0));
  const { users, kinds, times } = log.rows;
  const first = new Float64Array(length).fill(-1);
  for (const { from, to, exposes } of spans) {
    if (!exposes) continue;
    for (let row = from; row < to; row++) {
      if (isDrawn[kinds[row]!] === 0) continue;
      const slot = slots[users[row]!]!;
      if (slot >= 0 && first[slot]! < 0 && times[row] === since[slot]) first[slot] = row;
    }
  }
  return first;
}
