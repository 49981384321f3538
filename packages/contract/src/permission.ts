import { parseRouteKey, type Route, type RouteKey } from "./route.ts";

/** What can be done to a resource. */
export const ACTIONS = ["READ", "CREATE", "UPDATE", "DELETE"] as const;
export type Action = (typeof ACTIONS)[number];

/** What a custom role or a grant has to name for a route to open. */
export interface RoutePermission {
  /** The area, `feature-flags`. */
  resource: string;
  action: Action;
}

/**
 * The permission of a route. The resource is what the route says, else the first segment of its path; the action is what
 * it says, else follows the method: GET reads, PUT and PATCH update, DELETE deletes, and a POST creates where it answers
 * 201 and updates otherwise.
 */
export function permissionOf(key: RouteKey, route: Pick<Route, "status" | "resource" | "action">): RoutePermission {
  const [method, path] = parseRouteKey(key);
  return {
    resource: route.resource ?? path.split("/")[1]!,
    action: route.action ?? (method === "POST" ? (route.status === 201 ? "CREATE" : "UPDATE") : ACTION_OF[method]),
  };
}

const ACTION_OF = { GET: "READ", PUT: "UPDATE", PATCH: "UPDATE", DELETE: "DELETE" } as const;
