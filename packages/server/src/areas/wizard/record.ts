import type { WizardDraft, WizardStep } from "@assay/contract";
import type { CollectionOptions, Document } from "../../storage/collection.ts";

/** An unfinished experiment. */
export interface DraftRecord extends Document, Pick<WizardDraft, "owner_id" | "step" | "data"> {
  /** Steps sent at least once. */
  sent: WizardStep[];
}

export const draftCollection: CollectionOptions<DraftRecord> = {
  name: "wizard-drafts",
  resource: "wizard_draft",
  title: ({ data }) => (typeof data.name === "string" ? data.name.slice(0, 255) : ""),
  secret: ["data"],
};
