import type { User } from "@assay/contract";
import type { CollectionOptions, Document } from "../storage/collection.ts";

/** A user as stored; what the API answers plus the credential. */
export interface UserRecord extends Document, Omit<User, keyof Document> {
  given_name: string;
  family_name: string;
  /** Null for those whom an identity provider signs in. */
  password_hash: string | null;
  /** Null until the code from the e-mail came back; nobody signs in before. */
  confirmed_at: string | null;
  /** Issuer and subject of those whom an identity provider signs in. */
  external_id?: string | null;
  /** Deleted users keep their record, so that what they made still has an author. */
  deleted_at: string | null;
}

export const userCollection: CollectionOptions<UserRecord> = {
  name: "users",
  resource: "user",
  title: (user) => user.username,
  secret: ["password_hash"],
  unique: {
    // Deleted ones keep theirs: their next token must not make them anew.
    external_id: { of: (user) => user.external_id ?? null, taken: () => "This person is a user already" },
    username: {
      of: (user) => (user.deleted_at ? null : user.username.toLowerCase()),
      taken: (user) => `Username "${user.username}" is already taken`,
    },
    email: {
      of: (user) => (user.deleted_at ? null : user.email.toLowerCase()),
      taken: (user) => `E-mail "${user.email}" is already taken`,
    },
  },
};
