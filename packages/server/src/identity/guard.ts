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
import { type Awaitable, andThen } from "../ground/awaitable.ts";
import { forbidden, type UnauthorizedDetail, unauthorized } from "../ground/errors.ts";
import { type Caller, type KeyCaller, mayAs, type UserCaller } from "../model/caller.ts";
import type { UserRecord } from "../model/user.ts";
import type { Actor } from "../storage/change.ts";
import type { AccessTrail } from "./access.ts";

/** Authenticates callers and authorizes routes. Checks all route rights. */
export interface Guard {
  /** Authenticates the caller without checking rights. @throws ApiError 401 */
  identify(request: Request, credentials: Credentials, actor: Actor): Awaitable<UserCaller | KeyCaller>;
  /** @throws ApiError 401 without credentials the route accepts, 403 without sufficient rights */
  admit(request: Request, route: GuardedRoute, actor: Actor): Awaitable<Caller>;
  /** Whether a caller may use a route, for listing what is available. The route checks again. */
  allows(
    caller: Caller,
    key: RouteKey,
    route: Pick<Route, "auth" | "client" | "status" | "resource" | "action">,
  ): boolean;
  /** Like `admit`, for a request whose token stands for an API key. @throws ApiError 401, 403 */
  admitKey(keyId: string, request: Request, route: ProtectedRoute, actor: Actor): KeyCaller;
}

/** The fields of a route that the guard reads. */
export type GuardedRoute = Pick<Route, "operationId" | "auth" | "client">;

/** A route that requires credentials. */
export type ProtectedRoute = GuardedRoute & { auth: Credentials };

/** The permission that a custom role or grant needs for each route, computed once from the contract. */
const permissions = new Map<object, RoutePermission>(
  (Object.entries(contract) as [RouteKey, Route][]).map(([key, route]) => [route, permissionOf(key, route)]),
);

/** Dependencies of the guard. */
export interface GuardDeps {
  auth: { /** @throws ApiError 401 */ authenticate(accessToken: string): Promise<SignedIn> };
  apiKeys: {
    /** @throws ApiError 401 */
    authenticate(key: string, actor: Actor): Awaitable<KeyCaller>;
    /** Authenticates by key id, for tokens that stand for a key. @throws ApiError 401 */
    authenticateById(id: string, actor: Actor): KeyCaller;
  };
  roles: { allows(userId: string, permission: RoutePermission): boolean };
  access: Pick<AccessTrail, "denied">;
}

/** The owner of an access token. Without session if an OpenID Connect provider manages sessions. */
interface SignedIn {
  user: Pick<UserRecord, "id" | "role" | "is_superuser">;
  sessionId: string | null;
}

export function createGuard(deps: GuardDeps): Guard {
  /** @throws ApiError 403 after auditing the denial */
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

  function identify(request: Request, credentials: Credentials, actor: Actor): Awaitable<UserCaller | KeyCaller> {
    const authorization = request.headers.get("authorization");
    const key = credentials.key ? request.headers.get("x-api-key") : null;
    // A bearer token takes precedence over an API key. With other schemes, such as the Basic credentials of a proxy in
    // front, the key is used.
    const isForUs = authorization !== null && (key === null || /^Bearer\b/i.test(authorization));
    if (isForUs && credentials.user) {
      const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
      if (token === undefined) throw unauthorized("Could not validate credentials");
      return deps.auth.authenticate(token).then((signedIn) => toUserCaller(signedIn, actor));
    }
    if (key !== null) return deps.apiKeys.authenticate(key, actor);
    throw unauthorized(describeMissing(request, credentials));
  }

  return {
    identify,
    admit(request, route, actor) {
      if (!isProtected(route)) return { type: "ANONYMOUS", actor };
      return andThen(identify(request, route.auth, actor), (caller) => {
        const permission = permissions.get(route);
        if (permission && deps.roles.allows(caller.userId, permission)) caller.granted = permission;
        requireRoute(caller, request, route);
        return caller;
      });
    },
    allows(caller, key, route) {
      const { auth, client } = route;
      if (!needsCredentials(auth)) return true;
      if (caller.type === "ANONYMOUS") return false;
      const permission = permissionOf(key, route);
      const withGrant = { ...caller, granted: deps.roles.allows(caller.userId, permission) ? permission : undefined };
      try {
        if (withGrant.type === "USER") requireRights(withGrant, auth);
        else requireScope(withGrant, auth, client === true);
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

function toUserCaller({ user, sessionId }: SignedIn, actor: Actor): UserCaller {
  return {
    type: "USER",
    actor: { ...actor, actor_type: "USER", actor_id: user.id },
    userId: user.id,
    role: user.role,
    isSuperuser: user.is_superuser,
    sessionId,
  };
}

/** Names the credentials of the other kind, if the request has only those. */
function describeMissing({ headers }: Request, { user, key }: Credentials): UnauthorizedDetail {
  if (user === undefined && /^Bearer\b/i.test(headers.get("authorization") ?? "")) {
    return "Not authenticated: an API key is needed here (X-API-Key), and the request has a user's token";
  }
  if (key === undefined && headers.has("x-api-key")) {
    return "Not authenticated: a user's token is needed here (Authorization: Bearer), and the request has an API key";
  }
  return "Not authenticated";
}

/** A key that lists origins works only on pages of these origins. Browsers send the `Origin` header. */
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

/** Custom roles and grants can replace a role. */
function requireRights(caller: UserCaller, { user, orOwner }: Credentials): void {
  if (caller.isSuperuser || user === true || orOwner) return;
  if (user === undefined) throw forbidden();
  if (!mayAs(caller, user)) throw forbidden(user);
}

/** A key may do what its scopes list, and at most what its creator may do now. */
function requireScope(caller: KeyCaller, { key, user }: Credentials, client: boolean): void {
  if (!key || !caller.scopes.includes(key)) throw forbidden(`scope ${key}`);
  if (caller.kind === "CLIENT" && !client) throw forbidden("a SERVER key");
  const needed = user === undefined ? ROLE_FOR_SCOPE[key] : user === true ? "VIEWER" : user;
  if (!mayAs(caller, needed)) throw forbidden(`a key made by a ${needed}`);
}

/** The role the creator of a key needs on routes that accept only keys. */
export const ROLE_FOR_SCOPE = { read: "VIEWER", write: "DEVELOPER", admin: "DEVELOPER" } as const satisfies Record<
  Scope,
  string
>;
