import type { ExperimentRecord } from "../../model/experiment.ts";
import type { Change } from "../../storage/change.ts";

/** Slots in mutual-exclusion groups. A slot takes effect once its experiment names the group. */
export interface GroupSlots {
  /** @throws ApiError like `reserve` */
  requireFree(groupId: string, experimentId: string): void;
  /** @throws ApiError 400 if the group is ARCHIVED, 409 if no slot is free, 422 if there is no such group */
  reserve(groupId: string, experimentId: string, by: Change): Promise<void>;
  release(groupId: string, experimentId: string, by: Change): Promise<void>;
}

/**
 * Writes an experiment whose group may have changed: reserves a slot in the new group and releases the old one.
 * @param before the previous experiment; without group if it is new
 */
export async function writeInGroup(
  slots: GroupSlots,
  before: Pick<ExperimentRecord, "id" | "mutual_exclusion_group_id">,
  groupId: string | null,
  by: Change,
  write: () => Promise<ExperimentRecord>,
): Promise<ExperimentRecord> {
  const { id, mutual_exclusion_group_id: previous } = before;
  if (groupId === previous) return write();
  if (by.rehearsal) {
    if (groupId !== null) slots.requireFree(groupId, id);
    return write();
  }
  if (groupId !== null) await slots.reserve(groupId, id, by);
  try {
    const written = await write();
    if (previous !== null) await slots.release(previous, id, by);
    return written;
  } catch (error) {
    if (groupId !== null) await slots.release(groupId, id, by);
    throw error;
  }
}
