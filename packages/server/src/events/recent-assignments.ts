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
  // A set of users for each experiment. Joining both ids to one text takes three times as long.
  const recent = new Map<string, Set<string>>();
  let size = 0;
  let since = now();
  const clear = () => {
    recent.clear();
    size = 0;
  };
  return {
    has(userId, experimentId) {
      if (now() - since >= FORGET_AFTER_MS) {
        clear();
        since = now();
      }
      return recent.get(experimentId)?.has(userId) === true;
    },
    add(userId, experimentId) {
      if (recent.get(experimentId)?.has(userId)) return;
      if (size >= MAX_ENTRIES) clear();
      const users = recent.get(experimentId) ?? new Set();
      recent.set(experimentId, users.add(userId));
      size++;
    },
    clear,
  };
}
