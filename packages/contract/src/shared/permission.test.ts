import { expect, test } from "vitest";
import { ACTIONS, contract, permissionOf, type Route, type RouteKey } from "../index.ts";

test.each<[RouteKey, string, string]>([
  ["GET /feature-flags/", "feature-flags", "READ"],
  ["POST /feature-flags/", "feature-flags", "CREATE"],
  ["PUT /feature-flags/{id}", "feature-flags", "UPDATE"],
  ["PATCH /feature-flags/{id}/rollout", "feature-flags", "UPDATE"],
  ["DELETE /feature-flags/{id}", "feature-flags", "DELETE"],
  ["POST /experiments/{experiment_id}/start", "experiments", "UPDATE"],
  ["POST /experiments/{experiment_id}/clone", "experiments", "CREATE"],
  ["PATCH /admin/users/{user_id}", "users", "UPDATE"],
  ["GET /users/{user_id}/grants", "roles", "READ"],
  ["POST /users/{user_id}/grants", "roles", "CREATE"],
])("%s is %s: %s", (key, resource, action) => {
  const route = (contract as Record<RouteKey, Route>)[key];
  // A route that is not served yet has no permission to check.
  if (route) expect(permissionOf(key, route)).toEqual({ resource, action });
});

test.each(Object.entries(contract) as [RouteKey, Route][])("%s has its own permission", (key, route) => {
  const { resource, action } = permissionOf(key, route);
  expect(resource).toMatch(/^[a-z][a-z-]*$/);
  expect(ACTIONS).toContain(action);
  if (key.startsWith("GET ")) expect(action).toBe("READ");
});
