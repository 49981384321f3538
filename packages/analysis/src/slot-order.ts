import type { Participants } from "./exposure.ts";

/**
 * Assigns participants new slots, so that those of a group are adjacent; within a group they keep their order.
 * @param groups by slot: the number of the group, below `count`
 * @returns where each group's slots end
 */
export function reorder(
  participants: Participants,
  groups: Uint32Array,
  count: number,
): { participants: Participants; ends: number[] } {
  const { length } = participants;
  // A counting sort: a million participants in two passes.
  const next = new Uint32Array(count + 1);
  for (let slot = 0; slot < length; slot++) next[groups[slot]! + 1]! += 1;
  for (let group = 0; group < count; group++) next[group + 1]! += next[group]!;
  const ends = Array.from(next.subarray(1));
  const moved = new Int32Array(length);
  const arms = new Uint8Array(length);
  const since = new Float64Array(length);
  const { clusters } = participants;
  const clusterOf = new Uint32Array(clusters ? length : 0);
  for (let slot = 0; slot < length; slot++) {
    const target = next[groups[slot]!]!++;
    moved[slot] = target;
    arms[target] = participants.arms[slot]!;
    since[target] = participants.since[slot]!;
    if (clusters) clusterOf[target] = clusters.of[slot]!;
  }
  const slots = participants.slots.map((slot) => (slot < 0 ? slot : moved[slot]!));
  const reordered = clusters && { clusters: { ...clusters, of: clusterOf } };
  return { participants: { ...participants, slots, arms, since, ...reordered }, ends };
}
