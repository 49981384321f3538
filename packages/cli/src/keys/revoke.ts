import { type ArgsDef, type CommandDef, defineCommand } from "citty";
import { USER_ARGS, withUser } from "../connection.ts";
import { readFlags, requireWord } from "../flags.ts";
import { print } from "../output.ts";
import { findKey } from "./rotation.ts";

const args: ArgsDef = {
  name: { type: "positional", required: false, description: "Name or id of an active API key" },
  ...USER_ARGS,
};

/** `assay keys revoke`: revokes a key for good. */
export const revoke: CommandDef = defineCommand({
  meta: { name: "revoke", description: "Revoke an API key" },
  args,
  async run({ rawArgs }) {
    const flags = readFlags(rawArgs, args);
    const name = requireWord(flags, 0, "the API key to revoke");
    const key = await withUser(flags, async (client) => {
      const found = await findKey(client, name);
      await client.request("DELETE /api-keys/{id}", { params: { id: found.id } });
      return { ...found, is_active: false };
    });
    print(flags, key, () => `The key ${key.name} (${key.id}) is revoked`);
  },
});
