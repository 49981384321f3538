import { ROLES, type Role, type RoutePermission, type Scope } from "@assay/contract";
import { unauthorized } from "../errors.ts";
import type { Actor } from "../storage/change.ts";

/** Who sent a request, once credentials are checked. */
export type Caller = AnonymousCaller | UserCaller | KeyCaller;

export interface AnonymousCaller {
  type: "ANONYMOUS";
  actor: Actor;
}

/** A signed-in user, with the rights of this moment, not of the token. */
export interface UserCaller {
  type: "USER";
  actor: Actor;
  userId: string;
  role: Role;
  isSuperuser: boolean;
  /** The permission by which a custom role or a grant opens this route, beyond the built-in role and ownership. */
  granted?: RoutePermission | undefined;
  /** The refresh-token family the access token belongs to. */
  sessionId: string | null;
}

/** An API key; it acts for its creator and never does more than the creator may now. */
export interface KeyCaller {
  type: "API_KEY";
  actor: Actor;
  keyId: string;
  kind: "SERVER" | "CLIENT";
  scopes: readonly Scope[];
  /** Its own allowance, null for the class's. */
  ratePerMinute: number | null;
  /** Origins of the pages that may use it, empty for any. */
  origins: readonly string[];
  isFirstUse: boolean;
  userId: string;
  role: Role;
  isSuperuser: boolean;
  /** As for its creator. */
  granted?: RoutePermission | undefined;
}

export function hasRole(caller: { role: Role; isSuperuser: boolean }, needed: Role): boolean {
  return caller.isSuperuser || ROLES.indexOf(caller.role) >= ROLES.indexOf(needed);
}

/** The id of the person a caller is or acts for; null for anonymous. */
export function personOf(caller: Caller): string | null {
  return caller.type === "ANONYMOUS" ? null : caller.userId;
}

/** Whether a caller has a role's rights on this route: by the role, or by a custom role or grant that opens the route. */
export function mayAs(caller: UserCaller | KeyCaller, needed: Role): boolean {
  return caller.granted !== undefined || hasRole(caller, needed);
}

/** Whether a caller may see an experiment that is still a DRAFT: everyone from ANALYST up. */
export function seesDrafts(caller: Caller): boolean {
  return caller.type !== "ANONYMOUS" && mayAs(caller, "ANALYST");
}

/** The signed-in user; only for routes whose contract lets nobody else pass. @throws ApiError 401 */
export function requireUser(caller: Caller): UserCaller {
  if (caller.type !== "USER") throw unauthorized("Not authenticated");
  return caller;
}
