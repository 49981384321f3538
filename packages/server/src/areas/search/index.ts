import type { AreaInput } from "../../area.ts";
import type { UserService } from "../users/service.ts";
import { createSearchService } from "./service.ts";

export { routes } from "./routes.ts";

export const collections = () => ({});

export function create({ records, services }: AreaInput<{ users: UserService }>) {
  const { flags, experiments, segments } = records;
  return { services: { search: createSearchService({ flags, experiments, segments, users: services.users }) } };
}
