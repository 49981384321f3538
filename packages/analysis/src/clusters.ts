import type { EventLog } from "./event-log.ts";
import type { Participants } from "./exposure.ts";
import { isJoinOf } from "./unit.ts";

/** The clusters of participants, such as the users of a company, who were assigned together. */
export interface Clusters {
  /** The number of each participant's cluster, by slot, below `count`. */
  of: Uint32Array;
  count: number;
  /** Number of users whose cluster is unknown, who are excluded. */
  unknown: number;
}

/** The number of clusters. */
export interface ClusterCounts {
  /**
   * Number of clusters per arm, control first. A cluster with users in two arms counts in the arm of its first
   * exposure.
   */
  clusters: number[];
  /** Number of users whose cluster is unknown, who are excluded. */
  unknown: number;
}

/**
 * Excludes participants whose cluster is unknown and finds the cluster of the others, from the experiment's joins of a
 * user to a bucketing unit (`company=acme`). If a user has several, the first one received counts.
 */
export function withClusters(log: EventLog, experimentId: string, found: Participants): Participants {
  const { users, values } = log.rows;
  const units = new Int32Array(found.length).fill(-1);
  for (const row of log.joins) {
    if (!isJoinOf(log, row, experimentId)) continue;
    const slot = found.slots[users[row]!]!;
    if (slot >= 0 && units[slot]! < 0) units[slot] = values[row]!;
  }
  const numbers = new Int32Array(log.users.length).fill(-1);
  const moved = new Int32Array(found.length).fill(-1);
  const of = new Uint32Array(found.length);
  const participants = { ...found, arms: found.arms.slice(), since: found.since.slice() };
  let [length, count] = [0, 0];
  for (let slot = 0; slot < found.length; slot++) {
    const unit = units[slot]!;
    if (unit < 0) continue;
    if (numbers[unit]! < 0) numbers[unit] = count++;
    participants.arms[length] = found.arms[slot]!;
    participants.since[length] = found.since[slot]!;
    of[length] = numbers[unit]!;
    moved[slot] = length++;
  }
  const slots = found.slots.map((slot) => (slot < 0 ? slot : moved[slot]!));
  return { ...participants, length, slots, clusters: { of, count, unknown: found.length - length } };
}

/** Counts the clusters of each arm; null if users are not in clusters. */
export function countClusters(participants: Participants, arms: number): ClusterCounts | null {
  const { clusters, length, since } = participants;
  if (!clusters) return null;
  const first = new Float64Array(clusters.count).fill(Number.POSITIVE_INFINITY);
  const armOf = new Uint8Array(clusters.count);
  for (let slot = 0; slot < length; slot++) {
    const cluster = clusters.of[slot]!;
    if (since[slot]! >= first[cluster]!) continue;
    first[cluster] = since[slot]!;
    armOf[cluster] = participants.arms[slot]!;
  }
  const counts = new Array<number>(arms).fill(0);
  for (const arm of armOf) counts[arm]! += 1;
  return { clusters: counts, unknown: clusters.unknown };
}

/** The sums over each cluster's users in one arm. A cluster with users in two arms has sums in both. */
export interface ClusterSums {
  /** A column of sums per column of values. */
  columns: Float64Array[];
  /** Index of the arm of each sum. */
  arms: Uint8Array;
}

/**
 * Sums columns of values by cluster and arm, in the order in which clusters are met. Takes one column at a time.
 * @param clusterOf by user: the number of the cluster, below `count`
 * @param armOf by user: index of the arm, below `arms`
 */
export function sumByCluster(
  columns: Iterable<Float64Array>,
  clusterOf: Uint32Array,
  armOf: Uint8Array,
  { count, arms }: { count: number; arms: number },
): ClusterSums {
  const places = new Int32Array(count * arms).fill(-1);
  const placeOf = new Uint32Array(armOf.length);
  const cellArms = new Uint8Array(armOf.length);
  let length = 0;
  for (let user = 0; user < armOf.length; user++) {
    const cell = clusterOf[user]! * arms + armOf[user]!;
    if (places[cell]! < 0) {
      cellArms[length] = armOf[user]!;
      places[cell] = length++;
    }
    placeOf[user] = places[cell]!;
  }
  const sums: Float64Array[] = [];
  for (const values of columns) {
    const own = new Float64Array(length);
    for (let user = 0; user < values.length; user++) own[placeOf[user]!]! += values[user]!;
    sums.push(own);
  }
  return { columns: sums, arms: cellArms.subarray(0, length) };
}
