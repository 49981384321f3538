import * as z from "zod";
import { Name, paging, Text, Timestamp, TimestampInput, Uuid, upper } from "../shared/fields.ts";
import { defineArea, SCOPES } from "../shared/route.ts";

export const KEY_KINDS = ["SERVER", "CLIENT"] as const;

/** An API key without its secret. */
export const ApiKey = z
  .object({
    id: z.string(),
    name: z.string(),
    kind: z.enum(KEY_KINDS),
    scopes: z.array(z.enum(SCOPES)),
    created_at: Timestamp,
    created_by: z.string(),
    last_used_at: Timestamp.nullable(),
    expires_at: Timestamp.nullable(),
    rate_limit_per_minute: z.int().nullable(),
    allowed_origins: z.array(z.string()),
    is_active: z.boolean(),
    stale: z.boolean().meta({ description: "Unused for 30 days; consider revoking it" }),
    rotate_by: Timestamp.meta({ description: "90 days after creation" }),
    replaces: z.string().nullable().meta({ description: "Id of the key that this one replaces; null for others" }),
  })
  .meta({ id: "ApiKey" });
export type ApiKey = z.infer<typeof ApiKey>;

/** What the API key of a request may do now. */
export const CurrentApiKey = ApiKey.pick({ id: true, kind: true, expires_at: true, allowed_origins: true })
  .extend({
    scopes: ApiKey.shape.scopes.meta({ description: "The scopes of the key that its creator may still use" }),
  })
  .meta({ id: "CurrentApiKey" });
export type CurrentApiKey = z.infer<typeof CurrentApiKey>;

/** A new API key with its secret. */
export const CreatedApiKey = ApiKey.extend({
  description: z.string(),
  key: z
    .string()
    .optional()
    .meta({
      description:
        "The secret. Only the response that creates the key contains it; a repeat with the same " +
        "Idempotency-Key omits it",
    }),
}).meta({ id: "CreatedApiKey" });
export type CreatedApiKey = z.infer<typeof CreatedApiKey>;

export const ApiKeyCreate = z.object({
  name: Name,
  description: Text.default(""),
  scopes: z.array(z.enum(SCOPES)).min(1).max(3).default(["read"]),
  kind: upper(KEY_KINDS).default("SERVER"),
  expires_at: TimestampInput.nullish(),
  allowed_origins: z.array(z.url()).max(50).default([]),
  rate_limit_per_minute: z
    .int()
    .min(1)
    .max(1_000_000)
    .nullish()
    .meta({ description: "Requests per minute; only an ADMIN may set it" }),
});
export type ApiKeyCreate = z.infer<typeof ApiKeyCreate>;

export const apiKeys = defineArea({
  "POST /api-keys": {
    operationId: "apiKeys.create",
    summary: "Create an API key; only this response contains its secret",
    auth: { user: "DEVELOPER" },
    limit: "api",
    body: ApiKeyCreate,
    status: 201,
    response: CreatedApiKey,
    once: ["key"],
  },
  "GET /api-keys": {
    operationId: "apiKeys.list",
    summary: "List API keys: all for DEVELOPER and ADMIN, the caller's own for other roles",
    auth: { user: true },
    limit: "api",
    query: z.object({
      ...paging(500, 500),
      search: z.string().max(255).optional().meta({ description: "Part of a name or id" }),
    }),
    response: z.array(ApiKey),
  },
  "GET /api-keys/current": {
    operationId: "apiKeys.current",
    summary: "Retrieve what the API key of this request may do",
    auth: { key: "read" },
    limit: "api",
    client: true,
    response: CurrentApiKey,
  },
  "POST /api-keys/{id}/rotate": {
    operationId: "apiKeys.rotate",
    summary: "Create a key that replaces another; both are valid until you revoke the old one",
    description:
      "The new key has the name, kind, scopes, origins, rate limit and lifetime of the old one. It belongs to the caller, and " +
      "has no more rights than the caller.",
    auth: { user: "DEVELOPER" },
    limit: "api",
    params: z.object({ id: Uuid }),
    status: 201,
    response: CreatedApiKey,
    once: ["key"],
  },
  "DELETE /api-keys/{id}": {
    operationId: "apiKeys.revoke",
    summary: "Revoke an API key permanently",
    auth: { user: "DEVELOPER" },
    limit: "api",
    params: z.object({ id: Uuid }),
    status: 204,
  },
});
