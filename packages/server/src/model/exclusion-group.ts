import type { MutualExclusionGroup } from "@assay/contract";
import type { CollectionOptions, Document } from "../storage/collection.ts";

/** A range of a group's hash line, in fractions of it: start in, end out. */
export interface Slot {
  experiment_id: string;
  slot_start: number;
  slot_end: number;
  /** When it was given: the experiment that it is for says so itself a moment later. */
  reserved_at: string;
}

/** A group as it is stored. A slot counts where its experiment names the group as its own. */
export interface GroupRecord extends Omit<MutualExclusionGroup, "experiments" | "free_percentage">, Document {
  slots: Slot[];
}

export const groupCollection: CollectionOptions<GroupRecord> = {
  name: "mutual-exclusion-groups",
  resource: "mutual_exclusion_group",
  title: (group) => group.name,
};
