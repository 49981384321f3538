import type { ApiKeyRecord } from "../model/api-key.ts";
import type { UserRecord } from "../model/user.ts";
import type { Author, Collection, Document } from "../storage/collection.ts";

/** Names the authors of changes. */
export interface ActorNames {
  /**
   * The full name or username of a user, or the name of an API key or integration. Null for the server itself and for
   * an unknown author. It may contain an e-mail address.
   */
  nameOf(author: Author): string | null;
}

/** Creates the names from the documents of users, API keys and integrations. */
export function createActorNames(records: {
  users: Pick<Collection<UserRecord>, "get">;
  apiKeys: Pick<Collection<ApiKeyRecord>, "get">;
  integrations: Pick<Collection<Document & { name: string }>, "get">;
}): ActorNames {
  const { users, apiKeys, integrations } = records;
  return {
    nameOf({ actor_type, actor_id }) {
      if (actor_id === null) return null;
      switch (actor_type) {
        case "USER": {
          const user = users.get(actor_id);
          return user ? user.full_name || user.username : null;
        }
        case "API_KEY":
          return apiKeys.get(actor_id)?.name ?? null;
        case "WEBHOOK":
          return integrations.get(actor_id)?.name ?? null;
        case "SYSTEM":
          return null;
      }
    },
  };
}
