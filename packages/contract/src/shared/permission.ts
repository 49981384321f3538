import { parseRouteKey, type Route, type RouteKey } from "./route.ts";

/** The actions on a resource. */
export const ACTIONS = ["READ", "CREATE", "UPDATE", "DELETE"] as const;
export type Action = (typeof ACTIONS)[number];

/** The permission that a custom role or a grant needs for a route. */
export interface RoutePermission {
  /** The area, `feature-flags`. */
  resource: string;
  action: Action;
}

/**
 * Returns the permission that a route needs. The resource is that of the route, or else the first segment of its path.
 * The action is that of the route, or else follows from the method: GET reads, PUT and PATCH update, DELETE deletes,
 * and POST creates if it answers 201 and updates otherwise.
 */
export function permissionOf(key: RouteKey, route: Pick<Route, "status" | "resource" | "action">): RoutePermission {
  const [method, path] = parseRouteKey(key);
  return {
    resource: route.resource ?? path.split("/")[1]!,
    action: route.action ?? (method === "POST" ? (route.status === 201 ? "CREATE" : "UPDATE") : ACTION_OF[method]),
  };
}

const ACTION_OF = { GET: "READ", PUT: "UPDATE", PATCH: "UPDATE", DELETE: "DELETE" } as const;
