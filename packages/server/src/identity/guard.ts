import {
  type Auth,
  type Credentials,
  contract,
  permissionOf,
  type Route,
  type RouteKey,
  type RoutePermission,
  type Scope,
} from "@assay/contract";
import { forbidden, unauthorized } from "../errors.ts";
import { type Caller, hasRole, type KeyCaller, mayAs, type UserCaller } from "../model/caller.ts";
import type { UserRecord } from "../model/user.ts";
import type { Actor } from "../storage/change.ts";
import type { AccessTrail } from "./access.ts";

/** Finds out who is calling and whether this route is for them: the one place where rights are checked. */
export interface Guard {
  /** Who is calling, whatever their rights. @throws ApiError 401 */
  identify(request: Request, credentials: Credentials, actor: Actor): Promise<UserCaller | KeyCaller>;
  /** @throws ApiError 401 without credentials that the route takes, 403 where they do not reach */
  admit(request: Request, route: GuardedRoute, actor: Actor): Promise<Caller>;
  /** Whether a caller could pass a route, for showing what there is; the route itself checks again. */
  allows(
    caller: Caller,
    key: RouteKey,
    route: Pick<Route, "auth" | "client" | "status" | "resource" | "action">,
  ): boolean;
  /** The same for a request whose token stands for an API key. @throws ApiError 401, 403 */
  admitKey(keyId: string, request: Request, route: ProtectedRoute, actor: Actor): KeyCaller;
}

/** What the guard needs of a route. */
export type GuardedRoute = Pick<Route, "operationId" | "auth" | "client">;

/** A route that takes credentials. */
export type ProtectedRoute = GuardedRoute & { auth: Credentials };

/** What a custom role or grant has to name for each route, read off the contract once. */
const permissions = new Map<object, RoutePermission>(
  (Object.entries(contract) as [RouteKey, Route][]).map(([key, route]) => [route, permissionOf(key, route)]),
);

/** What the guard asks about credentials and rights. */
export interface GuardDeps {
  auth: { /** @throws ApiError 401 */ authenticate(accessToken: string): Promise<SignedIn> };
  apiKeys: {
    /** @throws ApiError 401 */
    authenticate(key: string, actor: Actor): KeyCaller;
    /** The same for the holder of something that stands for a key. @throws ApiError 401 */
    authenticateById(id: string, actor: Actor): KeyCaller;
  };
  roles: { allows(userId: string, permission: RoutePermission): boolean };
  access: Pick<AccessTrail, "denied">;
}

/** Whose access token it is; no session where an OpenID Connect provider keeps them. */
interface SignedIn {
  user: Pick<UserRecord, "id" | "role" | "is_superuser">;
  sessionId: string | null;
}

export function createGuard(deps: GuardDeps): Guard {
  /** @throws ApiError 403, which is then in the audit trail */
  function requireRoute(caller: UserCaller | KeyCaller, request: Request, route: ProtectedRoute) {
    try {
      if (caller.type === "USER") requireRights(caller, route.auth);
      else {
        requireScope(caller, route.auth, route.client === true);
        requireOrigin(caller, request);
      }
    } catch (error) {
      deps.access.denied(caller, route.operationId, error);
      throw error;
    }
  }

  async function identify(request: Request, credentials: Credentials, actor: Actor): Promise<UserCaller | KeyCaller> {
    const authorization = request.headers.get("authorization");
    const key = credentials.key ? request.headers.get("x-api-key") : null;
    // A bearer token comes before an API key. Another scheme, such as the Basic credentials that a proxy in front asks for,
    // leaves the key to count.
    const isForUs = authorization !== null && (key === null || /^Bearer\b/i.test(authorization));
    if (isForUs && (credentials.user || credentials.superuser)) {
      const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
      if (token === undefined) throw unauthorized("Could not validate credentials");
      const { user, sessionId } = await deps.auth.authenticate(token);
      return {
        type: "USER",
        actor: { ...actor, actor_type: "USER", actor_id: user.id },
        userId: user.id,
        role: user.role,
        isSuperuser: user.is_superuser,
        sessionId,
      };
    }
    if (key !== null) return deps.apiKeys.authenticate(key, actor);
    throw unauthorized("Not authenticated");
  }

  return {
    identify,
    async admit(request, route, actor) {
      if (!isProtected(route)) return { type: "ANONYMOUS", actor };
      const caller = await identify(request, route.auth, actor);
      const permission = permissions.get(route);
      if (permission && deps.roles.allows(caller.userId, permission)) caller.granted = permission;
      requireRoute(caller, request, route);
      return caller;
    },
    allows(caller, key, route) {
      const { auth, client } = route;
      if (!needsCredentials(auth)) return true;
      if (caller.type === "ANONYMOUS") return false;
      const permission = permissionOf(key, route);
      const asked = { ...caller, granted: deps.roles.allows(caller.userId, permission) ? permission : undefined };
      try {
        if (asked.type === "USER") requireRights(asked, auth);
        else requireScope(asked, auth, client === true);
        return true;
      } catch {
        return false;
      }
    },
    admitKey(keyId, request, route, actor) {
      const caller = deps.apiKeys.authenticateById(keyId, actor);
      requireRoute(caller, request, route);
      return caller;
    },
  };
}

/** A key that names origins is for the pages of those, which browsers vouch for. */
function requireOrigin({ origins, kind }: KeyCaller, request: Request): void {
  if (kind !== "CLIENT" || origins.length === 0) return;
  const origin = request.headers.get("origin");
  if (origin === null || !origins.includes(origin)) throw forbidden("an allowed origin");
}

function isProtected(route: GuardedRoute): route is ProtectedRoute {
  return needsCredentials(route.auth);
}

export function needsCredentials(auth: Auth): auth is Credentials {
  return auth !== "public" && auth !== "signature";
}

/** Custom roles and grants stand for a role, never for the superuser flag. */
function requireRights(caller: UserCaller, { user, superuser, orOwner }: Credentials): void {
  if (caller.isSuperuser || user === true || orOwner) return;
  if (user === undefined) throw forbidden(superuser ? "superuser" : undefined);
  if (!mayAs(caller, user)) throw forbidden(user);
}

/** A key does what its scopes list, and never more than its creator may now. */
function requireScope(caller: KeyCaller, { key, user, superuser }: Credentials, client: boolean): void {
  if (!key || !caller.scopes.includes(key)) throw forbidden(`scope ${key}`);
  if (caller.kind === "CLIENT" && !client) throw forbidden("a SERVER key");
  if (superuser && !hasRole(caller, "ADMIN")) throw forbidden("a key made by an ADMIN");
  const needed = user === undefined ? NEEDED_FOR[key] : user === true ? "VIEWER" : user;
  if (!mayAs(caller, needed)) throw forbidden(`a key made by a ${needed}`);
}

/** The role a key's creator needs now where the route is for keys only. */
const NEEDED_FOR = { read: "VIEWER", write: "DEVELOPER", admin: "DEVELOPER" } as const satisfies Record<Scope, string>;
