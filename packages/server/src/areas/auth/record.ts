import type { CollectionOptions, Document } from "../../storage/collection.ts";

/** One sign-in and the family of refresh tokens that came of it; gone once it is ended. */
export interface SessionRecord extends Document {
  user_id: string;
  /** SHA-256 of the current refresh secret. */
  secret_hash: string;
  /** Hashes of spent secrets: one of them coming back means that somebody copied it. */
  spent_hashes: string[];
  expires_at: string;
}

export const sessionCollection: CollectionOptions<SessionRecord> = {
  name: "sessions",
  resource: "session",
  title: (session) => session.user_id,
  secret: ["secret_hash", "spent_hashes"],
};
