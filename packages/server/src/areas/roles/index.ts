import type { AreaInput } from "../../area.ts";
import { createRights } from "../../identity/rights.ts";
import { grantCollection, roleCollection } from "../../model/role.ts";
import type { Collections } from "../../storage/collections.ts";
import { createRoleService } from "./service.ts";

export { routes } from "./routes.ts";

export const collections = ({ define }: Collections) => ({
  roles: define(roleCollection),
  grants: define(grantCollection),
});

export function create({ runtime, records }: AreaInput) {
  const { roles, grants, users } = records;
  const service = createRoleService({ runtime, roles, grants, users });
  return { services: { roles: service, rights: createRights(records, service) } };
}
