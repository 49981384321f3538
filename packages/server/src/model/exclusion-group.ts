import type { MutualExclusionGroup } from "@assay/contract";
import type { CollectionOptions, Document } from "../storage/collection.ts";

/** A range of the hash line of a group in fractions: start inclusive, end exclusive. */
export interface Slot {
  experiment_id: string;
  slot_start: number;
  slot_end: number;
  /** When the slot was reserved. Its experiment names the group shortly afterwards. */
  reserved_at: string;
}

/** A group as stored. A slot takes effect if its experiment names the group. */
export interface GroupRecord extends Omit<MutualExclusionGroup, "experiments" | "free_percentage">, Document {
  slots: Slot[];
}

export const groupCollection: CollectionOptions<GroupRecord> = {
  name: "mutual-exclusion-groups",
  resource: "mutual_exclusion_group",
  title: (group) => group.name,
};
