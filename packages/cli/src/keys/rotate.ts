import { type ArgsDef, type CommandDef, defineCommand } from "citty";
import { USER_ARGS, withUser } from "../connection.ts";
import { readFlags, requireWord } from "../flags.ts";
import { rotateKey } from "./rotation.ts";

const { json: _, ...callerArgs } = USER_ARGS;
const args: ArgsDef = {
  name: { type: "positional", required: false, description: "Name or id of an active API key" },
  ...callerArgs,
  yes: { type: "boolean", description: "Revoke the old key at once" },
};

const POLL_MS = 1000;

/** `assay keys rotate`: replaces an API key without an outage. */
export const rotate: CommandDef = defineCommand({
  meta: { name: "rotate", description: "Replace an API key without an outage" },
  args,
  async run({ rawArgs }) {
    const flags = readFlags(rawArgs, args);
    const name = requireWord(flags, 0, "the API key to rotate");
    const yes = flags.has("yes");
    const old = await withUser(flags, (client) =>
      rotateKey(client, name, {
        yes,
        pollMs: POLL_MS,
        onCreated(key, { id }) {
          console.log(`New key (shown only this once): ${key}`);
          if (!yes) console.log(`Deploy it; the old key ${id} is revoked as soon as the new one is used`);
        },
      }),
    );
    console.log(`The old key ${old.id} is revoked`);
  },
});
