import type { RequestOptions } from "@assay/client";
import { type ArgsDef, type CommandDef, defineCommand } from "citty";
import { USER_ARGS, withUser } from "../connection.ts";
import { usageFailure } from "../failure.ts";
import { readFlags, requireWord } from "../flags.ts";

const DAY_MS = 24 * 3600 * 1000;

const args: ArgsDef = {
  name: { type: "positional", required: false, description: "Name of the key" },
  kind: { type: "string", description: "SERVER, or CLIENT for browsers and apps (default SERVER)" },
  scope: { type: "string", description: "read, write or admin; may be repeated (default read)" },
  origin: { type: "string", valueHint: "url", description: "Origin that may use a CLIENT key; may be repeated" },
  days: { type: "string", description: "Days until the key expires (default never)" },
  ...USER_ARGS,
};

/** `assay keys create`: prints the new key, alone on standard output, so that scripts can take it. */
export const create: CommandDef = defineCommand({
  meta: { name: "create", description: "Create an API key and print it, once" },
  args,
  async run({ rawArgs }) {
    const flags = readFlags(rawArgs, args);
    const name = requireWord(flags, 0, "the name of the key");
    const [kind, scopes, origins, days] = [
      flags.one("kind"),
      flags.all("scope"),
      flags.all("origin"),
      flags.one("days"),
    ];
    if (days !== undefined && !/^[1-9]\d{0,4}$/.test(days))
      throw usageFailure(`--days must be a whole number from 1 to 99999, not "${days}"`);
    // The server checks the names of kinds and scopes.
    const body = {
      name,
      ...(kind && { kind }),
      ...(scopes.length > 0 && { scopes }),
      ...(origins.length > 0 && { allowed_origins: origins }),
      ...(days && { expires_at: new Date(Date.now() + Number(days) * DAY_MS).toISOString() }),
    } as RequestOptions<"POST /api-keys">["body"];
    const created = await withUser(flags, (client) => client.request("POST /api-keys", { body }));
    if (flags.has("json")) return console.log(JSON.stringify(created, null, 2));
    console.log(created.key);
    console.error("The key is shown only this once");
  },
});
