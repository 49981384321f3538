import { hostname } from "node:os";
import type { Client } from "@assay/client";
import { type ArgsDef, type CommandDef, defineCommand } from "citty";
import { configFile, type Profile, readProfiles, requireProfileName, writeProfiles } from "../configuration.ts";
import { withUser } from "../connection.ts";
import { usageFailure } from "../failure.ts";
import { type Flags, readFlags } from "../flags.ts";
import { DATA_ARGS } from "../serve/storage.ts";
import { DEFAULT_URL, requireUrl } from "../server-address.ts";
import { withNewData } from "./new-data.ts";

const args: ArgsDef = {
  url: { type: "string", description: "A running server, instead of new data on this machine" },
  username: { type: "string", description: "User of the running server (ASSAY_USERNAME), with ASSAY_PASSWORD" },
  environment: {
    type: "string",
    description: "Environment of the running server (ASSAY_ENVIRONMENT, default the first)",
  },
  profile: { type: "string", description: "Name of the new profile (default: default)" },
  ...DATA_ARGS,
};

/** `assay init`: new data with an administrator, or a running server; a new API key for it goes into a profile. */
export const init: CommandDef = defineCommand({
  meta: { name: "init", description: "Create data, or sign in to a server, and keep an API key in a profile" },
  args,
  async run({ rawArgs }) {
    const flags = readFlags(rawArgs, args);
    const name = requireProfileName(flags.one("profile") ?? "default");
    const known = await readProfiles(process.env);
    if (Object.hasOwn(known.profiles, name))
      throw usageFailure(
        `There is a profile "${name}"; choose another --profile, or run assay profiles remove ${name}`,
      );
    const profile = flags.one("url") === undefined ? await createData(flags) : await signIn(flags);
    await writeProfiles({ current: name, profiles: { ...known.profiles, [name]: profile } }, process.env);
    console.log(`The profile "${name}" in ${configFile(process.env)} has an API key of ${profile.url}`);
  },
});

function createData(flags: Flags): Promise<Profile> {
  return withNewData(flags, async (client, username) => ({
    url: DEFAULT_URL,
    username,
    api_key: await createKey(client),
  }));
}

function signIn(flags: Flags): Promise<Profile> {
  const location = Object.keys(DATA_ARGS).find((name) => flags.one(name) !== undefined);
  if (location) throw usageFailure(`Specify --url or --${location}, not both`);
  const url = requireUrl(flags.one("url")!, "--url");
  // Here, --profile names the new profile, and not the one to read.
  const others: Flags = { ...flags, one: (name) => (name === "profile" ? undefined : flags.one(name)) };
  return withUser(others, async (client) => {
    const { username } = await client.request("GET /users/me");
    const environment = flags.one("environment") || process.env.ASSAY_ENVIRONMENT;
    return { url, username, ...(environment ? { environment } : {}), api_key: await createKey(client) };
  });
}

async function createKey(client: Client): Promise<string> {
  const body = { name: `assay on ${hostname()}`.slice(0, 100), scopes: ["read", "write", "admin"] } as const;
  const { key } = await client.request("POST /api-keys", { body: { ...body, scopes: [...body.scopes] } });
  return key!;
}
