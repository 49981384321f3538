import type { Clusters } from "./clusters.ts";
import type { EventLog } from "./event-log.ts";
import { EXPOSURE } from "./event-record.ts";
import type { Span, Subject } from "./subject.ts";

/** The users whose outcomes are compared; each has a slot. */
export interface Participants {
  length: number;
  /** The slot of each user, or -1. Ids of one unit share a slot. */
  slots: Int32Array;
  /** Index of the arm, by slot. */
  arms: Uint8Array;
  /** Time of the first exposure, by slot. */
  since: Float64Array;
  /** Number of units seen in two arms; excluded unless the subject keeps them in the first. */
  crossover: number;
  /** Number of units whose arm was forced; excluded. */
  forced: number;
  /** Number of participants without an exposure event, inferred from outcome events. */
  inferred: number;
  /** Absent if each user was assigned individually. */
  clusters?: Clusters;
}

const CROSSED = 1;
/** Marks a forced arm. */
export const FORCED = 2;
/** Marks an event of type `exposure`. */
export const EXPLICIT = 4;

/** The exposure in each kind of event. */
export interface ExposureKinds {
  /** By kind: arm + 1, or 0. */
  arms: Uint8Array;
  /** By kind: FORCED and EXPLICIT. */
  flags: Uint8Array;
}

/**
 * Finds the participants: their arm and their first exposure. The earliest exposure by its own time wins, and the first
 * in the journal if times are equal. An id seen in two arms is crossover; if two joined ids were in different arms, the
 * first exposure wins. A unit with any forced exposure is excluded completely: keeping it if a later draw agrees would
 * select by arm.
 */
export function findParticipants(
  log: EventLog,
  subject: Subject,
  spans: readonly Span[],
  units: Uint32Array | null,
): Participants {
  const { users, times, kinds } = log.rows;
  const count = log.users.length;
  const exposure = exposureKinds(log, subject);
  const first = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  const firstRow = new Uint32Array(units ? count : 0);
  const arms = new Uint8Array(count);
  const flags = new Uint8Array(count);

  // Hot path: ten million rows; plain loops over typed arrays, without allocations.
  for (const { from, to, exposes } of spans) {
    if (!exposes) continue;
    for (let row = from; row < to; row++) {
      const kind = kinds[row]!;
      const arm = exposure.arms[kind]!;
      if (arm === 0) continue;
      const user = users[row]!;
      if (user === log.ignoredUser) continue;
      const flag = exposure.flags[kind]!;
      flags[user]! |= flag;
      if ((flag & FORCED) !== 0) continue;
      const known = arms[user]!;
      if (known !== 0 && known !== arm) flags[user]! |= CROSSED;
      if (times[row]! < first[user]!) {
        first[user] = times[row]!;
        arms[user] = arm;
        if (units) firstRow[user] = row;
      }
    }
  }
  if (units) foldIntoUnits(units, first, firstRow, arms, flags);
  return toSlots(units, first, arms, flags, subject.keepsFirstArm === true);
}

/** Determines the exposure in each kind of event. */
export function exposureKinds(log: EventLog, { experimentId, variants }: Subject): ExposureKinds {
  const arms = new Uint8Array(log.kinds.length);
  const flags = new Uint8Array(log.kinds.length);
  for (const [number, kind] of log.kinds.entries()) {
    if (kind.experimentId !== experimentId || kind.variantKey === null) continue;
    arms[number] = variants.indexOf(kind.variantKey) + 1;
    flags[number] = (kind.forced ? FORCED : 0) | (kind.type === EXPOSURE ? EXPLICIT : 0);
  }
  return { arms, flags };
}

/** Assigns each unit the earliest exposure of its ids, and the marks of all of them. */
function foldIntoUnits(
  units: Uint32Array,
  first: Float64Array,
  firstRow: Uint32Array,
  arms: Uint8Array,
  flags: Uint8Array,
): void {
  for (let user = 0; user < units.length; user++) {
    const unit = units[user]!;
    if (unit === user) continue;
    flags[unit]! |= flags[user]!;
    if (arms[user] === 0) continue;
    const isEarlier = first[user]! < first[unit]! || (first[user] === first[unit] && firstRow[user]! < firstRow[unit]!);
    if (!isEarlier) continue;
    first[unit] = first[user]!;
    firstRow[unit] = firstRow[user]!;
    arms[unit] = arms[user]!;
  }
}

function toSlots(
  units: Uint32Array | null,
  first: Float64Array,
  arms: Uint8Array,
  flags: Uint8Array,
  keepsCrossover: boolean,
): Participants {
  const slots = new Int32Array(arms.length).fill(-1);
  const participants: Participants = {
    length: 0,
    slots,
    arms: new Uint8Array(arms.length),
    since: new Float64Array(arms.length),
    crossover: 0,
    forced: 0,
    inferred: 0,
  };
  for (let user = 0; user < arms.length; user++) {
    if (units && units[user] !== user) continue;
    const flag = flags[user]!;
    const isForced = (flag & FORCED) !== 0;
    const isCrossed = !isForced && (flag & CROSSED) !== 0;
    if (isForced) participants.forced++;
    if (isCrossed) participants.crossover++;
    if (arms[user] !== 0 && !isForced && (!isCrossed || keepsCrossover)) {
      if ((flag & EXPLICIT) === 0) participants.inferred++;
      const slot = participants.length++;
      participants.arms[slot] = arms[user]! - 1;
      participants.since[slot] = first[user]!;
      slots[user] = slot;
    }
  }
  if (units) for (let user = 0; user < arms.length; user++) slots[user] = slots[units[user]!]!;
  return participants;
}
