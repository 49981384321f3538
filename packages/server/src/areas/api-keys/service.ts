import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { ApiKey, ApiKeyCreate, CreatedApiKey, CurrentApiKey } from "@assay/contract";
import type { Awaitable } from "../../ground/awaitable.ts";
import { conflict, forbidden, unauthorized } from "../../ground/errors.ts";
import { type Runtime, timestampOf } from "../../ground/runtime.ts";
import { originOf } from "../../http/cors.ts";
import { contains } from "../../http/page.ts";
import type { AccessTrail } from "../../identity/access.ts";
import { ROLE_FOR_SCOPE } from "../../identity/guard.ts";
import type { Trail } from "../../identity/trail.ts";
import type { ApiKeyRecord } from "../../model/api-key.ts";
import { type Caller, hasRole, type KeyCaller, mayAs } from "../../model/caller.ts";
import type { UserRecord } from "../../model/user.ts";
import type { Actor, Change } from "../../storage/change.ts";
import type { Collection, Document } from "../../storage/collection.ts";
import type { KeyUsage } from "./usage.ts";

export interface ApiKeyService {
  /** The only response with the secret. @throws ApiError 403 for a rate limit set by a role below ADMIN */
  create(body: ApiKeyCreate, caller: Caller, by: Change): Promise<CreatedApiKey>;
  /**
   * Creates a key with the rights and the lifetime of another, which stays valid. The only response with the secret.
   * @throws ApiError 403 as for `create`, 404, 409 if the key is revoked
   */
  rotate(id: string, caller: Caller, by: Change): Promise<CreatedApiKey>;
  /** All keys for DEVELOPER and ADMIN, own keys for others; newest first. @param search part of a name or id */
  visibleTo(caller: Caller, search?: string): ApiKey[];
  /** What the key of a request may do now. @throws ApiError 401 if the caller is not an API key */
  current(caller: Caller): CurrentApiKey;
  /** Keys of all users, for jobs. */
  all(): ApiKey[];
  /** Revokes a key permanently. The server rejects the next request with the key. @throws ApiError 404 */
  revoke(id: string, by: Change): Promise<void>;
  /**
   * The caller of a key. The guard checks its rights. Waits only for an unknown key, which another node may have created
   * a moment ago. @throws ApiError 401
   */
  authenticate(key: string, actor: Actor): Awaitable<KeyCaller>;
  /** Authenticates by key id, for tokens that stand for a key. @throws ApiError 401 */
  authenticateById(id: string, actor: Actor): KeyCaller;
  /** Whether a key was created here, even if it is not valid any more. */
  knows(key: string): boolean;
}

const DAY_MS = 24 * 3600 * 1000;
const STALE_DAYS = 30;
const ROTATE_DAYS = 90;
/** Maximum number of cached headers. A cached one costs one lookup and no hash. */
const REMEMBERED = 10_000;

export function createApiKeyService(deps: {
  runtime: Runtime;
  apiKeys: Collection<ApiKeyRecord>;
  users: Collection<UserRecord>;
  usage: KeyUsage;
  trail: Trail;
  access: AccessTrail;
  /** Applies the changes of other nodes. */
  catchUp: () => Promise<void>;
}): ApiKeyService {
  const { runtime, apiKeys, users, usage, trail, access, catchUp } = deps;
  const remembered = new Map<string, string>();

  function toApiKey(record: ApiKeyRecord): ApiKey {
    const last_used_at = usage.lastUsed(record.id);
    const idleSince = Date.parse(last_used_at ?? record.created_at);
    return {
      ...record,
      replaces: record.replaces ?? null,
      last_used_at,
      stale: record.is_active && runtime.now() - idleSince > STALE_DAYS * DAY_MS,
      rotate_by: timestampOf(Date.parse(record.created_at) + ROTATE_DAYS * DAY_MS),
    };
  }

  function findRecord(key: string): ApiKeyRecord | undefined {
    const cachedId = remembered.get(key);
    if (cachedId !== undefined) return apiKeys.get(cachedId);
    const [prefix, publicId = "", ...rest] = key.split("_");
    const record = prefix === "asy" ? apiKeys.findBy("public_id", publicId) : undefined;
    if (!record || !timingSafeEqual(hashOf(rest.join("_")), Buffer.from(record.secret_hash, "base64url")))
      return undefined;
    if (remembered.size >= REMEMBERED) remembered.clear();
    remembered.set(key, record.id);
    return record;
  }

  function admit(record: ApiKeyRecord | undefined, actor: Actor): KeyCaller {
    const owner = record && users.get(record.created_by);
    const expired = record?.expires_at != null && Date.parse(record.expires_at) <= runtime.now();
    if (!record?.is_active || expired || !owner?.is_active || owner.deleted_at) {
      access.keyRefused(record?.id ?? null, actor);
      throw unauthorized("Invalid API key");
    }
    const self: Actor = { ...actor, actor_type: "API_KEY", actor_id: record.id };
    const isFirstUse = usage.touch(record.id);
    if (isFirstUse) {
      trail.record({ action: "api_key.first_use", actor: self, resource_type: "api_key", resource_id: record.id });
    }
    return {
      type: "API_KEY",
      actor: self,
      keyId: record.id,
      kind: record.kind,
      scopes: record.scopes,
      ratePerMinute: record.rate_limit_per_minute,
      origins: record.allowed_origins,
      isFirstUse,
      userId: owner.id,
      role: owner.role,
      isSuperuser: owner.is_superuser,
    };
  }

  async function insert(
    fields: Omit<ApiKeyRecord, keyof Document | "created_by" | "is_active" | "public_id" | "secret_hash">,
    caller: Caller,
    by: Change,
  ): Promise<CreatedApiKey> {
    if (caller.type !== "USER") throw unauthorized("Not authenticated");
    if (fields.rate_limit_per_minute !== null && !hasRole(caller, "ADMIN")) throw forbidden("ADMIN");
    const publicId = randomBytes(9).toString("hex");
    const secret = randomBytes(32).toString("base64url");
    const own = { created_by: caller.userId, is_active: true, public_id: publicId };
    const record = await apiKeys.insert({ ...fields, ...own, secret_hash: hashOf(secret).toString("base64url") }, by);
    return { ...toApiKey(record), description: record.description, key: `asy_${publicId}_${secret}` };
  }

  return {
    async create(body, caller, by) {
      const fields = {
        ...body,
        scopes: [...new Set(body.scopes)],
        allowed_origins: [...new Set(body.allowed_origins.map((url) => originOf(url) ?? url))],
        expires_at: body.expires_at ?? null,
        rate_limit_per_minute: body.rate_limit_per_minute ?? null,
      };
      return insert(fields, caller, by);
    },
    async rotate(id, caller, by) {
      const old = apiKeys.require(id);
      if (!old.is_active) throw conflict("The API key is revoked; create another one");
      const { name, description, kind, scopes, allowed_origins, rate_limit_per_minute, expires_at, created_at } = old;
      const lifetime = expires_at === null ? null : Date.parse(expires_at) - Date.parse(created_at);
      const fields = {
        ...{ name, description, kind, scopes, allowed_origins, rate_limit_per_minute },
        expires_at: lifetime === null ? null : timestampOf(runtime.now() + lifetime),
        replaces: id,
      };
      return insert(fields, caller, by);
    },
    visibleTo(caller, search) {
      if (caller.type !== "USER") return [];
      const all = apiKeys.all().reverse();
      const visible = mayAs(caller, "DEVELOPER") ? all : all.filter((key) => key.created_by === caller.userId);
      return visible.filter(({ id, name }) => contains([id, name], search)).map(toApiKey);
    },
    current(caller) {
      const record = caller.type === "API_KEY" ? apiKeys.get(caller.keyId) : undefined;
      if (caller.type !== "API_KEY" || !record) throw unauthorized("Invalid API key");
      const { id, kind, expires_at, allowed_origins } = record;
      // A grant for this route must not add the scopes of others.
      const scopes = record.scopes.filter((scope) => hasRole(caller, ROLE_FOR_SCOPE[scope]));
      return { id, kind, scopes, expires_at, allowed_origins };
    },
    all: () => apiKeys.all().map(toApiKey),
    async revoke(id, by) {
      await apiKeys.update(id, (key) => ({ ...key, is_active: false }), by);
    },
    authenticate(key, actor) {
      const record = findRecord(key);
      if (record || !key.startsWith("asy_")) return admit(record, actor);
      return catchUp().then(() => admit(findRecord(key), actor));
    },
    authenticateById: (id, actor) => admit(apiKeys.get(id), actor),
    knows: (key) => findRecord(key) !== undefined,
  };
}

const hashOf = (secret: string) => createHash("sha256").update(secret).digest();
