import { createClient, isAssayError } from "@assay/client";
import { type ArgsDef, type CommandDef, defineCommand } from "citty";
import { CommandFailure, failure, reasonOf, usageFailure } from "../failure.ts";
import { readFlags } from "../flags.ts";
import { readUrl, URL_ARG } from "../server-address.ts";
import { rotateKey } from "./rotation.ts";

const args: ArgsDef = {
  task: { type: "positional", required: false, description: "rotate" },
  name: { type: "positional", required: false, description: "Name or id of an active API key" },
  ...URL_ARG,
  username: {
    type: "string",
    description: "User who creates the new key (ASSAY_USERNAME), with the password in ASSAY_PASSWORD",
  },
  yes: { type: "boolean", description: "Revoke the old key at once" },
};

const POLL_MS = 1000;

/** `assay keys rotate`: replaces an API key without an outage. */
export const keys: CommandDef = defineCommand({
  meta: { name: "keys", description: "Rotate an API key without an outage" },
  args,
  async run({ rawArgs }) {
    const flags = readFlags(rawArgs, args);
    const [task, name] = flags.positionals;
    if (task !== "rotate") throw usageFailure("Specify a task: assay keys rotate NAME");
    if (!name) throw usageFailure("Specify the API key to rotate");
    const username = flags.one("username") ?? process.env.ASSAY_USERNAME;
    const password = process.env.ASSAY_PASSWORD;
    if (!username || !password)
      throw usageFailure("Specify who rotates the key: --username, with the password in ASSAY_PASSWORD");
    const url = readUrl(flags);
    const yes = flags.has("yes");
    try {
      const client = createClient({ baseUrl: url, username, password });
      const old = await rotateKey(client, name, {
        yes,
        pollMs: POLL_MS,
        onCreated(key, { id }) {
          console.log(`New key (shown only this once): ${key}`);
          if (!yes) console.log(`Deploy it; the old key ${id} is revoked as soon as the new one is used`);
        },
      });
      console.log(`The old key ${old.id} is revoked`);
    } catch (error) {
      if (error instanceof CommandFailure) throw error;
      throw failure(isAssayError(error) ? error.message : reasonOf(error), error);
    }
  },
});
