import type { User } from "@assay/contract";
import type { CollectionOptions, Document } from "../storage/collection.ts";

/** A user as stored: the API fields plus the credentials. */
export interface UserRecord extends Document, Omit<User, keyof Document> {
  given_name: string;
  family_name: string;
  /** Null for users of an identity provider. */
  password_hash: string | null;
  /** Null until the e-mail is confirmed. Unconfirmed users cannot sign in. */
  confirmed_at: string | null;
  /** Issuer and subject for users of an identity provider. */
  external_id?: string | null;
  /** Deleted users keep their record, so that their resources still have an author. */
  deleted_at: string | null;
}

export const userCollection: CollectionOptions<UserRecord> = {
  name: "users",
  resource: "user",
  title: (user) => user.username,
  secret: ["password_hash"],
  unique: {
    // Deleted users keep theirs, so that their next token does not create them again.
    external_id: { of: (user) => user.external_id ?? null, taken: () => "This person is already a user" },
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
