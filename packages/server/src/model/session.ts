import type { CollectionOptions, Document } from "../storage/collection.ts";

/** One sign-in and its family of refresh tokens. Deleted when it ends. */
export interface SessionRecord extends Document {
  user_id: string;
  /** Number of tokens issued. Only the newest is valid. */
  generation: number;
  /** SHA-256 of the newest refresh secret. */
  secret_hash: string;
  /** Authenticates every token of the family, so that a spent one is recognized at any age. */
  seal_key: string;
  expires_at: string;
}

export const sessionCollection: CollectionOptions<SessionRecord> = {
  name: "sessions",
  resource: "session",
  title: (session) => session.user_id,
  secret: ["secret_hash", "seal_key"],
};
