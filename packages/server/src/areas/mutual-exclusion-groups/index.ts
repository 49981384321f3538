import type { AreaInput } from "../../area.ts";
import type { Rights } from "../../identity/rights.ts";
import { groupCollection } from "../../model/exclusion-group.ts";
import type { Collections } from "../../storage/collections.ts";
import { createGroupService } from "./service.ts";

export { routes } from "./routes.ts";

export const collections = ({ define }: Collections) => ({ groups: define(groupCollection) });

export function create({ runtime, records, services }: AreaInput<{ rights: Rights }>) {
  const { groups, experiments } = records;
  return { services: { groups: createGroupService({ runtime, groups, experiments, rights: services.rights }) } };
}
