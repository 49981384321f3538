import { type ArgsDef, type CommandDef, defineCommand } from "citty";
import { type Profiles, readProfiles, writeProfiles } from "../configuration.ts";
import { usageFailure } from "../failure.ts";
import { readFlags, requireWord } from "../flags.ts";
import { print, toColumns } from "../output.ts";

const listArgs: ArgsDef = { json: { type: "boolean", description: "Write JSON" } };

const list: CommandDef = defineCommand({
  meta: { name: "list", description: "List the profiles, without their keys" },
  args: listArgs,
  async run({ rawArgs }) {
    const flags = readFlags(rawArgs, listArgs);
    const { current, profiles } = await readProfiles(process.env);
    const rows = Object.entries(profiles).map(([name, { url, username, environment }]) => ({
      name,
      url,
      username: username ?? null,
      environment: environment ?? null,
      current: name === current,
    }));
    print(flags, rows, () =>
      toColumns(
        ["NAME", "SERVER", "USER", "ENVIRONMENT", "CURRENT"],
        rows.map((row) => [row.name, row.url, row.username, row.environment, row.current ? "yes" : "no"]),
      ),
    );
  },
});

const nameArgs: ArgsDef = { name: { type: "positional", required: false, description: "Name of the profile" } };

const use: CommandDef = defineCommand({
  meta: { name: "use", description: "Make a profile the current one" },
  args: nameArgs,
  async run({ rawArgs }) {
    const name = requireWord(readFlags(rawArgs, nameArgs), 0, "the profile");
    const known = requireKnown(await readProfiles(process.env), name);
    await writeProfiles({ ...known, current: name }, process.env);
    console.log(`The current profile is "${name}": ${known.profiles[name]!.url}`);
  },
});

const remove: CommandDef = defineCommand({
  meta: { name: "remove", description: "Remove a profile; its API key stays valid until you revoke it" },
  args: nameArgs,
  async run({ rawArgs }) {
    const name = requireWord(readFlags(rawArgs, nameArgs), 0, "the profile");
    const { current, profiles } = requireKnown(await readProfiles(process.env), name);
    const { [name]: _, ...others } = profiles;
    await writeProfiles({ current: current === name ? null : current, profiles: others }, process.env);
    console.log(`The profile "${name}" is removed; revoke its key with: assay keys revoke`);
  },
});

/** `assay profiles`: the servers that this user works with. */
export const profiles: CommandDef = defineCommand({
  meta: { name: "profiles", description: "List, choose and remove the profiles of servers" },
  subCommands: { list, use, remove },
});

function requireKnown(known: Profiles, name: string): Profiles {
  if (Object.hasOwn(known.profiles, name)) return known;
  throw usageFailure(`There is no profile "${name}"; profiles: ${Object.keys(known.profiles).join(", ") || "none"}`);
}
