import type { User } from "@assay/client";
import { useQuery } from "@tanstack/react-query";
import { api } from "../session.ts";
import { useMe } from "../shell/me.ts";
import { TEXT } from "../text.ts";

export function useUser(id: string | undefined) {
  return useQuery({
    queryKey: ["user", id],
    enabled: id !== undefined,
    queryFn: () => api.request("GET /users/{user_id}", { params: { user_id: id! } }),
  });
}

/** Whether the signed-in user administers people, and is a superuser; undefined until known. */
export function useRank(): { id: string; isAdmin: boolean; isSuperuser: boolean } | undefined {
  const me = useMe();
  const { data } = useUser(me?.id);
  return data && { id: data.id, isAdmin: data.is_superuser || data.role === "ADMIN", isSuperuser: data.is_superuser };
}

/** Returns what the signed-in user lacks to administer someone; undefined if nothing. Only superusers manage superusers. */
export function useMissingRank(user?: User): string | undefined {
  const rank = useRank();
  if (!rank?.isAdmin) return TEXT.needsRole(TEXT.roles.ADMIN);
  return user?.is_superuser && !rank.isSuperuser ? TEXT.people.needsSuperuser : undefined;
}
