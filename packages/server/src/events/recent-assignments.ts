const MAX_ENTRIES = 200_000;
/** The maximum time in milliseconds until an erasure by another node takes effect here. */
const FORGET_AFTER_MS = 60_000;

/** The assignments that are known to be stored, so that events for each page view do not store them again. */
export interface RecentAssignments {
  has(userId: string, experimentId: string): boolean;
  add(userId: string, experimentId: string): void;
  clear(): void;
}

/** Creates an empty set of assignments, which is cleared every minute. */
export function createRecentAssignments(now: () => number): RecentAssignments {
  const recent = new Set<string>();
  let since = now();
  // An experiment's id comes first and has a fixed alphabet, so no two pairs make the same text.
  const keyOf = (userId: string, experimentId: string) => `${experimentId} ${userId}`;
  return {
    has(userId, experimentId) {
      if (now() - since >= FORGET_AFTER_MS) {
        recent.clear();
        since = now();
      }
      return recent.has(keyOf(userId, experimentId));
    },
    add(userId, experimentId) {
      if (recent.size >= MAX_ENTRIES) recent.clear();
      recent.add(keyOf(userId, experimentId));
    },
    clear: () => recent.clear(),
  };
}
