import type { AreaInput } from "../../area.ts";
import { apiKeyCollection } from "../../model/api-key.ts";
import type { Collections } from "../../storage/collections.ts";
import { createApiKeyService } from "./service.ts";
import { createKeyUsage } from "./usage.ts";

export { routes } from "./routes.ts";

export const collections = ({ define }: Collections) => ({ apiKeys: define(apiKeyCollection) });

export async function create({ store, runtime, collections: { catchUp }, records, trail, access }: AreaInput) {
  const { apiKeys, users } = records;
  const usage = createKeyUsage(store, runtime);
  await usage.load();
  const service = createApiKeyService({ runtime, apiKeys, users, usage, trail, access, catchUp });
  return {
    services: { apiKeys: service },
    claims: ({ headers }: Request) => service.knows(headers.get("x-api-key") ?? ""),
    close: usage.flush,
  };
}
