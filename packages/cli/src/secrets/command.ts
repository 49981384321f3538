import { rotateSecrets } from "@assay/server";
import { type ArgsDef, type CommandDef, defineCommand } from "citty";
import { CommandFailure, usageFailure } from "../failure.ts";
import { readFlags } from "../flags.ts";
import { readNamespace } from "../serve/operation-settings.ts";
import { readSecretKeys } from "../serve/settings.ts";
import { DATA_ARGS, readDataChoice, withData } from "../serve/storage.ts";

const args: ArgsDef = {
  task: { type: "positional", required: false, description: "rotate" },
  ...DATA_ARGS,
};

/**
 * `assay secrets rotate`: encrypts every credential in a server's data again, with the newest of `ASSAY_SECRETS_KEYS`.
 */
export const secrets: CommandDef = defineCommand({
  meta: { name: "secrets", description: "Encrypt stored credentials under a new key (ASSAY_SECRETS_KEYS)" },
  args,
  async run({ rawArgs }) {
    const flags = readFlags(rawArgs, args);
    const [task] = flags.positionals;
    if (task !== "rotate") throw usageFailure("Specify a task: assay secrets rotate");
    const keys = readSecretKeys(process.env);
    if (keys === undefined) throw usageFailure("Set ASSAY_SECRETS_KEYS to the new key, followed by the older keys");
    const data = readDataChoice(flags, process.env, "has no secrets");
    await withData(data, readNamespace(flags, process.env), async (store) => {
      const { checked, resealed, unreadable } = await rotateSecrets(store, keys);
      for (const { resource, id } of unreadable) console.log(`${resource} ${id}: encrypted with a key that is missing`);
      console.log(`${checked} secrets checked, ${resealed} of them re-encrypted with the new key`);
      if (unreadable.length > 0) throw new CommandFailure("", 1);
    });
  },
});
