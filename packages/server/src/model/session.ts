import type { CollectionOptions, Document } from "../storage/collection.ts";

/** One sign-in and the family of refresh tokens that came of it; gone once it is ended. */
export interface SessionRecord extends Document {
  user_id: string;
  /** Tokens issued so far; only the newest is good. */
  generation: number;
  /** SHA-256 of the newest refresh secret. */
  secret_hash: string;
  /** Seals every token of the family, so that a spent one is known again however old it is. */
  seal_key: string;
  expires_at: string;
}

export const sessionCollection: CollectionOptions<SessionRecord> = {
  name: "sessions",
  resource: "session",
  title: (session) => session.user_id,
  secret: ["secret_hash", "seal_key"],
};
