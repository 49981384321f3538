import type { Role } from "@assay/contract";
import { forbidden, invalid } from "../../ground/errors.ts";
import { type Caller, hasRole, mayAs } from "../../model/caller.ts";
import type { UserRecord } from "../../model/user.ts";

/** Whether a caller is currently a superuser. Keys never are. */
export function isSuperuser(caller: Caller): boolean {
  return caller.type === "USER" && caller.isSuperuser;
}

/** Whether a caller has at least this built-in role. */
export function mayBe(caller: Caller, role: Role): boolean {
  return caller.type !== "ANONYMOUS" && hasRole(caller, role);
}

/** Whether a caller sees all users: an ADMIN, or a holder of the permission for the route. */
export function seesEveryone(caller: Caller): boolean {
  return caller.type !== "ANONYMOUS" && mayAs(caller, "ADMIN");
}

/** Requires a superuser for a change of the superuser flag. @throws ApiError 403 */
export function requireFlag(
  caller: Caller,
  user: UserRecord,
  { is_superuser }: { is_superuser?: boolean | undefined },
): void {
  const changes = is_superuser !== undefined && is_superuser !== user.is_superuser;
  if (changes && !isSuperuser(caller)) throw forbidden("superuser");
}

/** Callers manage users up to their own rank: only superusers manage superusers. @throws ApiError 403 */
export function requireRank(caller: Caller, { is_superuser, role }: UserRecord): void {
  if (is_superuser && !(caller.type !== "ANONYMOUS" && caller.isSuperuser)) throw forbidden("superuser");
  if (!mayBe(caller, role)) throw forbidden(role);
}

/** Derives `given_name` and `family_name` from `full_name`. The last word is the family name. */
export function nameFields(full_name: string) {
  const words = full_name.trim().split(/\s+/);
  const family_name = words.length > 1 ? words.pop()! : "";
  return { full_name, given_name: words.join(" "), family_name };
}

/** Requires that a username with @ is the user's own e-mail. @throws ApiError 422 */
export function requireOwnEmail({ username, email }: { username: string; email: string }): void {
  if (username.includes("@") && username.toLowerCase() !== email.toLowerCase()) {
    throw invalid(["body", "username"], "A username with @ must be the user's own e-mail");
  }
}

/** Returns the username for a new e-mail: a username with @ follows the e-mail. */
export function usernameFollowing({ username }: UserRecord, email: string | undefined): { username?: string } {
  return email !== undefined && username.includes("@") ? { username: email } : {};
}
