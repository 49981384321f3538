import type { Client, User } from "@assay/client";
import { readPages } from "@assay/client/definitions";
import { type ArgsDef, type CommandDef, defineCommand } from "citty";
import { USER_ARGS, withUser } from "../connection.ts";
import { readFlags } from "../flags.ts";
import { print, toColumns } from "../output.ts";

const PAGE = 100;

const args: ArgsDef = { ...USER_ARGS };

/** `assay users list`: a line per user; only oneself for those who are not ADMIN. */
export const list: CommandDef = defineCommand({
  meta: { name: "list", description: "List users" },
  args,
  async run({ rawArgs }) {
    const flags = readFlags(rawArgs, args);
    const all = await withUser(flags, readUsers);
    print(flags, all, () =>
      toColumns(
        ["USERNAME", "ROLE", "STATE", "EMAIL", "NAME"],
        all.map((user) => [
          user.username,
          user.is_superuser ? `${user.role}, superuser` : user.role,
          user.is_active ? "active" : "inactive",
          user.email,
          user.full_name,
        ]),
      ),
    );
  },
});

/** Reads every user that the caller may see. */
export function readUsers(client: Client): Promise<User[]> {
  return readPages(PAGE, async (page) => (await client.request("GET /users/", { query: page })).items);
}
