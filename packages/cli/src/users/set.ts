import { type ArgsDef, type CommandDef, defineCommand } from "citty";
import { USER_ARGS, withUser } from "../connection.ts";
import { failure, usageFailure } from "../failure.ts";
import { readFlags, requireWord } from "../flags.ts";
import { print } from "../output.ts";
import { readUsers } from "./list.ts";

const args: ArgsDef = {
  name: { type: "positional", required: false, description: "Username or id" },
  role: { type: "string", description: "VIEWER, ANALYST, DEVELOPER or ADMIN" },
  activate: { type: "boolean", description: "Let the user sign in again" },
  deactivate: { type: "boolean", description: "End the sessions and keys of the user" },
  ...USER_ARGS,
};

/** `assay users set`: changes the role or the state of a user. */
export const set: CommandDef = defineCommand({
  meta: { name: "set", description: "Change the role of a user, deactivate or activate one" },
  args,
  async run({ rawArgs }) {
    const flags = readFlags(rawArgs, args);
    const name = requireWord(flags, 0, "the user");
    const [role, activate, deactivate] = [flags.one("role"), flags.has("activate"), flags.has("deactivate")];
    if (activate && deactivate) throw usageFailure("Specify --activate or --deactivate, not both");
    if (!role && !activate && !deactivate) throw usageFailure("Specify a change: --role, --activate or --deactivate");
    const user = await withUser(flags, async (client) => {
      const found = (await readUsers(client)).find(({ id, username }) => username === name || id === name);
      if (!found) throw failure(`There is no user "${name}" that you may see`);
      return client.request("PATCH /admin/users/{user_id}", {
        params: { user_id: found.id },
        // The server checks the name of the role.
        body: {
          ...(role && { role: role as typeof found.role }),
          ...((activate || deactivate) && { is_active: activate }),
        },
      });
    });
    print(flags, user, () => `${user.username} is ${user.role}, ${user.is_active ? "active" : "inactive"}`);
  },
});
