import type { Grant, Permission } from "@assay/contract";
import type { CollectionOptions, Document } from "../storage/collection.ts";

/** A custom role as stored. Built-in roles are in the code. */
export interface RoleRecord extends Document {
  name: string;
  description: string;
  permissions: Permission[];
}

export const roleCollection: CollectionOptions<RoleRecord> = {
  name: "roles",
  resource: "role",
  title: (role) => role.name,
  unique: {
    name: { of: (role) => role.name, taken: (role) => `Role "${role.name}" already exists` },
  },
};

/** A temporary permission of one user. It expires on its own, and a later cleanup deletes its record. */
export interface GrantRecord extends Document, Omit<Grant, keyof Document> {}

export const grantCollection: CollectionOptions<GrantRecord> = {
  name: "grants",
  resource: "grant",
  title: (grant) => `${grant.resource}: ${grant.actions.join(", ")}`,
};
