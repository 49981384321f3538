import type { JointMoments } from "@assay/core/stats";
import { jointMomentsOf } from "./metric.ts";

/** Participants by one attribute. */
export interface Grouping {
  /** Number of groups. */
  count: number;
  /** The number of each participant's group, by slot. The others are compared with group 0. */
  codes: Uint8Array;
}

/** The sums of one arm, with columns of groups after the columns of values. */
interface Sums {
  /** Number of users by group, except groups 0. */
  users: Float64Array;
  /** Deviations of a group's users from the arm's mean, by group and value. */
  deviations: Float64Array;
  /** Number of users in both groups, by pair of groups. */
  both: Float64Array;
}

/**
 * Joint moments, per arm, of columns of values followed by a column for each group but the first of each grouping: 1 for
 * its users and 0 for others.
 *
 * The same as `jointMomentsOf` of all these columns, but a user costs as much as values and groupings, not as much as
 * groups squared.
 */
export function groupedMomentsOf(
  columns: readonly ArrayLike<number>[],
  groupings: readonly Grouping[],
  armOf: Uint8Array,
  arms: number,
): JointMoments[] {
  const moments = jointMomentsOf(columns, armOf, arms);
  if (groupings.length === 0) return moments;
  const values = columns.length;
  // Where each grouping's columns begin; its group 0, which has none, would be the one before.
  let groups = 0;
  const firsts = groupings.map(({ count }) => {
    const first = groups - 1;
    groups += Math.max(0, count - 1);
    return first;
  });
  const sums = moments.map(
    (): Sums => ({
      users: new Float64Array(groups),
      deviations: new Float64Array(groups * values),
      both: new Float64Array(groups * groups),
    }),
  );
  const own = new Int32Array(groupings.length);
  for (let slot = 0; slot < armOf.length; slot++) {
    const arm = armOf[slot]!;
    const { means } = moments[arm]!;
    const { users, deviations, both } = sums[arm]!;
    let length = 0;
    for (let index = 0; index < groupings.length; index++) {
      const code = groupings[index]!.codes[slot]!;
      if (code > 0) own[length++] = firsts[index]! + code;
    }
    for (let index = 0; index < length; index++) {
      const group = own[index]!;
      users[group]! += 1;
      for (let value = 0; value < values; value++) {
        deviations[group * values + value]! += columns[value]![slot]! - means[value]!;
      }
      for (let other = 0; other < index; other++) both[group * groups + own[other]!]! += 1;
    }
  }
  return moments.map((one, arm) => withGroups(one, sums[arm]!));
}

function withGroups({ n, means, products }: JointMoments, { users, deviations, both }: Sums): JointMoments {
  const values = means.length;
  const shares = Array.from(users, (count) => (n > 0 ? count / n : 0));
  const rows = shares.map((share, group) => [
    ...deviations.subarray(group * values, (group + 1) * values),
    // Users in both groups, less those expected if the groups had nothing to do with each other.
    ...shares.slice(0, group).map((other, index) => both[group * shares.length + index]! - share * other * n),
    users[group]! * (1 - share),
  ]);
  return { n, means: [...means, ...shares], products: [...products, ...rows] };
}
