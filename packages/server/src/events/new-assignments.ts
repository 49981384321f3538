import type { RecordColumns } from "@assay/analysis";
import type { RecentAssignments } from "./recent-assignments.ts";
import type { PlacedAssignment } from "./submission.ts";

/**
 * Returns the assignments that are not known to be stored. All lookups of a request follow each other, because each waits
 * for memory, and a processor then waits for several at once.
 *
 * @param assigning the indexes of the events that assign their user to the arm they name
 * @param at the current time in milliseconds since 1970
 */
export function newAssignments(
  { userIds, kinds, kindOf, times }: RecordColumns,
  assigning: readonly number[],
  recent: RecentAssignments,
  at: number,
): PlacedAssignment[] {
  const assignments: PlacedAssignment[] = [];
  for (const index of assigning) {
    const { experimentId, variantKey, forced } = kinds[kindOf[index]!]!;
    const user_id = userIds[index]!;
    if (experimentId === null || variantKey === null || recent.has(user_id, experimentId, at)) continue;
    const named = { user_id, experiment_id: experimentId, variant_key: variantKey };
    assignments.push({ index, assignment: { ...named, forced, at: times[index]! } });
  }
  return assignments;
}
