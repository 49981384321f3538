import type { AreaInput } from "../../area.ts";
import { createExclusively } from "../../identity/exclusive.ts";
import { userCollection } from "../../model/user.ts";
import { SYSTEM } from "../../storage/change.ts";
import type { Collections } from "../../storage/collections.ts";
import { createUserService } from "./service.ts";

export { routes } from "./routes.ts";

export const collections = ({ define }: Collections) => ({ users: define(userCollection) });

export async function create({ options, store, runtime, collections, passwords, records, apiKeysOfAll }: AreaInput) {
  const { users, sessions, roles } = records;
  const exclusively = createExclusively(store, runtime, collections.catchUp);
  const service = createUserService({ runtime, passwords, users, sessions, apiKeysOfAll, roles, exclusively });
  // If a provider manages users, its claims decide who is an administrator.
  if (options.admin && !options.identity) {
    const { username, password, email = `${username}@localhost.localdomain` } = options.admin;
    await service.ensureAdministrator({ username, password, email }, { actor: SYSTEM, action: "user.create" });
  }
  return { services: { users: service } };
}
