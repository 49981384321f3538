import type { Proposal } from "@assay/contract";
import type { CollectionOptions, Document } from "../../storage/collection.ts";

/** The fields of a proposal that are computed when it is read. */
type Computed = "is_stale" | "author_name" | "decided_by_name" | "problem";

/** A proposal as stored. */
export interface ProposalRecord extends Omit<Proposal, Computed>, Document {}

export const proposalCollection: CollectionOptions<ProposalRecord> = {
  name: "proposals",
  resource: "proposal",
  title: ({ action, resource_name }) => `${action} ${resource_name ?? ""}`.trim(),
  // The entry of the change itself has the values.
  secret: ["body", "old_value", "new_value"],
  // Lists show none of them, and one proposal is read from the store.
  offloaded: { when: ({ status }) => status !== "OPEN", fields: ["body", "old_value", "new_value"] },
};
