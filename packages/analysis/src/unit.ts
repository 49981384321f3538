import type { EventLog } from "./event-log.ts";

/**
 * Finds the unit of analysis of each user id, in an experiment or regardless of experiments; null if every id is its
 * own unit. Joined ids are one unit. The first join of an id counts, so a device shared by two people does not merge
 * them. A join that would close a circle is ignored.
 */
export function unitsOf(log: EventLog, experimentId: string | null): Uint32Array | null {
  const everywhere = log.joins.filter((row) => experimentOf(log, row) === null);
  const here = experimentId === null ? [] : log.joins.filter((row) => isJoinOf(log, row, experimentId));
  if (everywhere.length + here.length === 0) return null;
  const parents = Uint32Array.from({ length: log.users.length }, (_, index) => index);
  for (const row of everywhere) join(parents, log.rows.users[row]!, log.rows.values[row]!);
  // A person belongs to a bucketing unit, whichever of its ids was exposed.
  for (const row of here) join(parents, rootOf(parents, log.rows.users[row]!), log.rows.values[row]!);
  for (let index = 0; index < parents.length; index++) parents[index] = rootOf(parents, index);
  return parents;
}

/** Returns whether a join puts a user into a bucketing unit of an experiment. */
export function isJoinOf(log: EventLog, row: number, experimentId: string): boolean {
  return experimentOf(log, row) === experimentId;
}

function experimentOf(log: EventLog, row: number): string | null {
  return log.kinds[log.rows.kinds[row]!]!.experimentId;
}

function join(parents: Uint32Array, user: number, unit: number): void {
  if (parents[user] !== user || rootOf(parents, unit) === user) return;
  parents[user] = unit;
}

function rootOf(parents: Uint32Array, index: number): number {
  let root = index;
  while (parents[root] !== root) root = parents[root]!;
  // Chains are shortened as they are walked, so that a long one is walked once.
  for (let step = index; parents[step] !== root; ) {
    const next = parents[step]!;
    parents[step] = root;
    step = next;
  }
  return root;
}
