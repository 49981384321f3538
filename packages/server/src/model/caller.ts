import { ROLES, type Role, type RoutePermission, type Scope } from "@assay/contract";
import { unauthorized } from "../ground/errors.ts";
import type { Actor } from "../storage/change.ts";

/** The sender of a request, after authentication. */
export type Caller = AnonymousCaller | UserCaller | KeyCaller;

export interface AnonymousCaller {
  type: "ANONYMOUS";
  actor: Actor;
}

/** A signed-in user, with current rights, not those of the token. */
export interface UserCaller {
  type: "USER";
  actor: Actor;
  userId: string;
  role: Role;
  isSuperuser: boolean;
  /** The permission by which a custom role or grant opens this route, beyond built-in role and ownership. */
  granted?: RoutePermission | undefined;
  /** The refresh-token family of the access token. */
  sessionId: string | null;
}

/** An API key. It acts for its creator, with at most the creator's current rights. */
export interface KeyCaller {
  type: "API_KEY";
  actor: Actor;
  keyId: string;
  kind: "SERVER" | "CLIENT";
  scopes: readonly Scope[];
  /** Its own rate limit. Null for the limit of the class. */
  ratePerMinute: number | null;
  /** Origins of pages that may use it. Empty for any. */
  origins: readonly string[];
  isFirstUse: boolean;
  userId: string;
  role: Role;
  isSuperuser: boolean;
  /** The permission by which a custom role or grant of the creator opens this route. */
  granted?: RoutePermission | undefined;
}

export function hasRole(caller: { role: Role; isSuperuser: boolean }, needed: Role): boolean {
  return caller.isSuperuser || ROLES.indexOf(caller.role) >= ROLES.indexOf(needed);
}

/** Returns the id of the user a caller is or acts for, or null for anonymous callers. */
export function personOf(caller: Caller): string | null {
  return caller.type === "ANONYMOUS" ? null : caller.userId;
}

/**
 * Whether a caller has the rights of a role on this route: by the role, or by a custom role or grant that opens the
 * route.
 */
export function mayAs(caller: UserCaller | KeyCaller, needed: Role): boolean {
  return caller.granted !== undefined || hasRole(caller, needed);
}

/** Whether a caller may see DRAFT experiments: ANALYST and above. */
export function seesDrafts(caller: Caller): boolean {
  return caller.type !== "ANONYMOUS" && mayAs(caller, "ANALYST");
}

/** Returns the signed-in user, for routes that accept only users. @throws ApiError 401 */
export function requireUser(caller: Caller): UserCaller {
  if (caller.type !== "USER") throw unauthorized("Not authenticated");
  return caller;
}
