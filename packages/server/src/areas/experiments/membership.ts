import type { ExperimentRecord } from "../../model/experiment.ts";
import type { Change } from "../../storage/change.ts";

/** Slots in mutual-exclusion groups; one counts once its experiment names the group as its own. */
export interface GroupSlots {
  /** @throws ApiError as `reserve` would */
  requireFree(groupId: string, experimentId: string): void;
  /** @throws ApiError 400 where the group is ARCHIVED, 409 where nothing is free, 422 where there is none */
  reserve(groupId: string, experimentId: string, by: Change): Promise<void>;
  release(groupId: string, experimentId: string, by: Change): Promise<void>;
}

/**
 * Writes an experiment that may have come to another group: with a slot there, and without the one it had.
 * @param before the experiment as it was; with no group where it is new
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
