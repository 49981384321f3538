import type { ApiKey } from "@assay/contract";
import type { CollectionOptions, Document } from "../storage/collection.ts";

/**
 * An API key as stored, with its secret only as SHA-256. Its last use is stored separately, so that use does not change
 * the key.
 */
export interface ApiKeyRecord
  extends Document,
    Omit<ApiKey, keyof Document | "last_used_at" | "stale" | "rotate_by" | "replaces"> {
  description: string;
  /** Id of the key that it replaces; absent in others. */
  replaces?: string;
  public_id: string;
  secret_hash: string;
}

export const apiKeyCollection: CollectionOptions<ApiKeyRecord> = {
  name: "api-keys",
  resource: "api_key",
  title: (key) => key.name,
  secret: ["secret_hash"],
  unique: {
    public_id: { of: (key) => key.public_id, taken: () => "API key id is already taken" },
  },
};
