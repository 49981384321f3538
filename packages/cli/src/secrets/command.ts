import { rotateSecrets } from "@assay/server";
import { namespaced } from "@assay/server/store";
import { type ArgsDef, type CommandDef, defineCommand } from "citty";
import { CommandFailure, failure, reasonOf, usageFailure } from "../failure.ts";
import { readFlags } from "../flags.ts";
import { readSecretKeys, readServeSettings } from "../serve/settings.ts";
import { openStore } from "../serve/storage.ts";

const args: ArgsDef = {
  task: { type: "positional", required: false, description: "rotate" },
  data: { type: "string", valueHint: "dir", description: "Where the data is kept (ASSAY_DATA, default ./data)" },
  storage: { type: "string", description: "lmdb:DIR or fs:DIR (ASSAY_STORAGE)" },
  namespace: { type: "string", description: "Of the server, where it has one" },
};

/** `assay secrets rotate`: seals every credential in a server's data again, under the newest of `ASSAY_SECRETS_KEYS`. */
export const secrets: CommandDef = defineCommand({
  meta: { name: "secrets", description: "Encrypt stored credentials under a new key (ASSAY_SECRETS_KEYS)" },
  args,
  async run({ rawArgs }) {
    const flags = readFlags(rawArgs, args);
    const [task] = flags.positionals;
    if (task !== "rotate") throw usageFailure("Say what to do: assay secrets rotate");
    const keys = readSecretKeys(process.env);
    if (keys === undefined)
      throw usageFailure("ASSAY_SECRETS_KEYS is missing: the new key first, then those before it");
    const { ASSAY_DATA, ASSAY_STORAGE } = process.env;
    const { storage } = readServeSettings(flags, { ASSAY_DATA, ASSAY_STORAGE });
    if (storage.kind === "memory") throw usageFailure("There are no secrets to look at in memory");
    const store = await openStore(storage);
    try {
      const rotation = await rotateSecrets(namespaced(store, flags.one("namespace") ?? ""), keys);
      const { checked, resealed, unreadable } = rotation;
      for (const { resource, id } of unreadable) console.log(`${resource} ${id}: sealed under a key that is not here`);
      console.log(`${checked} secrets checked, ${resealed} of them sealed under the new key`);
      if (unreadable.length > 0) throw new CommandFailure("", 1);
    } catch (error) {
      throw error instanceof CommandFailure ? error : failure(reasonOf(error), error);
    } finally {
      await store.close();
    }
  },
});
