import { createFingerprintTable } from "./fingerprint-table.ts";

const MAX_ENTRIES = 200_000;
/** The maximum time in milliseconds until an assignment is stored again that was erased just after it was stored. */
const FORGET_AFTER_MS = 3_600_000;

/** The assignments that are known to be stored, so that events for each page view do not store them again. */
export interface RecentAssignments {
  /** @param at the current time: a batch of events reads the clock once */
  has(userId: string, experimentId: string, at: number): boolean;
  add(userId: string, experimentId: string): void;
  clear(): void;
}

/**
 * Creates an empty set of assignments, which is cleared every hour. It may take an assignment for another one, which is
 * then stored with the next event after that, but that happens once in about 10^13 lookups.
 * @param since the current time; all times are in milliseconds since 1970
 */
export function createRecentAssignments(since: number): RecentAssignments {
  const recent = createFingerprintTable();
  const experiments = new Map<string, number>();
  let cleared = since;
  const clear = () => {
    recent.clear();
    experiments.clear();
  };
  const isHeld = (userId: string, experimentId: string) => {
    const experiment = experiments.get(experimentId);
    return experiment !== undefined && recent.has(userId, experiment);
  };
  return {
    has(userId, experimentId, at) {
      if (at - cleared >= FORGET_AFTER_MS) {
        clear();
        cleared = at;
      }
      return isHeld(userId, experimentId);
    },
    add(userId, experimentId) {
      if (isHeld(userId, experimentId)) return;
      if (recent.size >= MAX_ENTRIES) clear();
      const experiment = experiments.get(experimentId) ?? experiments.size;
      experiments.set(experimentId, experiment);
      recent.add(userId, experiment);
    },
    clear,
  };
}
