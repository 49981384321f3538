import type { CurrentUser } from "@assay/client";
import { useQuery } from "@tanstack/react-query";
import { api } from "../session.ts";

export const ROLES = ["VIEWER", "ANALYST", "DEVELOPER", "ADMIN"] as const;
export type Role = (typeof ROLES)[number];

export type Me = Omit<CurrentUser, "role"> & { role: Role };

/** Returns the signed-in user, once known. */
export function useMe(): Me | undefined {
  const { data } = useQuery({ queryKey: ["me"], queryFn: () => api.request("GET /users/me"), staleTime: 60_000 });
  return data && { ...data, role: data.role.toUpperCase() as Role };
}

/** Returns whether the signed-in user has at least this role. Until the user is known, they have none. */
export function useHasRole(role: Role): boolean {
  const me = useMe();
  return me !== undefined && ROLES.indexOf(me.role) >= ROLES.indexOf(role);
}

/** Returns what a role may not do, for controls that are visible but disabled; undefined if the user may. */
export function useMissingRole(role: Role, owner?: string): Role | undefined {
  const me = useMe();
  const hasRole = useHasRole(role);
  if (!me) return role;
  if (!hasRole) return role;
  const isOwner = owner === undefined || owner === me.id || me.role === "ADMIN";
  return isOwner ? undefined : "ADMIN";
}
