import type { Holdout } from "@assay/contract";
import type { CollectionOptions, Document } from "../storage/collection.ts";

/** A holdout as stored. */
export interface HoldoutRecord extends Holdout, Document {}

/** The index value that only one holdout can have. */
export const ACTIVE = "ACTIVE";

export const holdoutCollection: CollectionOptions<HoldoutRecord> = {
  name: "holdouts",
  resource: "holdout",
  title: (holdout) => holdout.name,
  unique: {
    status: {
      of: ({ status }) => (status === ACTIVE ? ACTIVE : null),
      taken: () => "Another holdout is ACTIVE; end it first",
    },
  },
};
