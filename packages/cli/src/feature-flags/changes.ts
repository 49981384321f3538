import type { FeatureFlag, FeatureFlagCreate, FeatureFlagUpdate } from "@assay/client";
import { type ArgsDef, type CommandDef, defineCommand } from "citty";
import { CONNECTION_ARGS, withClient } from "../connection.ts";
import { usageFailure } from "../failure.ts";
import { type Flags, readFlags, requireWord } from "../flags.ts";
import { FILE_ARG, readBody } from "../json-file.ts";
import { print } from "../output.ts";

const KEY_ARG: ArgsDef = { key: { type: "positional", required: false, description: "Key or id of the flag" } };

const FIELD_ARGS: ArgsDef = {
  name: { type: "string", description: "Name" },
  description: { type: "string", description: "Description" },
  on: { type: "boolean", description: "Switch the flag on (ACTIVE)" },
  off: { type: "boolean", description: "Switch the flag off (INACTIVE)" },
  rollout: { type: "string", valueHint: "percent", description: "Share of users, from 0 to 100" },
  ...FILE_ARG,
};

const createArgs: ArgsDef = { ...KEY_ARG, ...FIELD_ARGS, ...CONNECTION_ARGS };

/** `assay flags create`: a new flag, by default as the API creates it: off. */
export const create: CommandDef = defineCommand({
  meta: { name: "create", description: "Create a flag" },
  args: createArgs,
  async run({ rawArgs }) {
    const flags = readFlags(rawArgs, createArgs);
    const key = requireWord(flags, 0, "the key of the flag");
    const body = { name: key, ...(await readFields(flags)), key } as FeatureFlagCreate;
    report(flags, await withClient(flags, (client) => client.request("POST /feature-flags/", { body })));
  },
});

const REASON_ARG: ArgsDef = { reason: { type: "string", description: "Reason for the change, kept in its history" } };
const setArgs: ArgsDef = { ...KEY_ARG, ...FIELD_ARGS, ...REASON_ARG, ...CONNECTION_ARGS };

/** `assay flags set`: changes the given fields of a flag. */
export const set: CommandDef = defineCommand({
  meta: { name: "set", description: "Change fields of a flag" },
  args: setArgs,
  async run({ rawArgs }) {
    const flags = readFlags(rawArgs, setArgs);
    const id = requireWord(flags, 0, "the key of the flag");
    const fields = await readFields(flags);
    if (Object.keys(fields).length === 0) throw usageFailure("Specify a change, for example --on or --rollout 25");
    const reason = flags.one("reason");
    const body = { ...fields, ...(reason && { reason }) } as FeatureFlagUpdate;
    report(
      flags,
      await withClient(flags, (client) => client.request("PATCH /feature-flags/{id}", { params: { id }, body })),
    );
  },
});

const killArgs: ArgsDef = { ...KEY_ARG, ...REASON_ARG, ...CONNECTION_ARGS };

/** `assay flags kill`: switches a flag off, with a reason. */
export const kill: CommandDef = defineCommand({
  meta: { name: "kill", description: "Switch a flag off at once, with a reason" },
  args: killArgs,
  async run({ rawArgs }) {
    const flags = readFlags(rawArgs, killArgs);
    const id = requireWord(flags, 0, "the key of the flag");
    const reason = flags.one("reason");
    if (!reason) throw usageFailure("--reason is missing");
    const body = { status: "INACTIVE", reason } as const;
    report(
      flags,
      await withClient(flags, (client) => client.request("PATCH /feature-flags/{id}", { params: { id }, body })),
    );
  },
});

/** Reads the fields of a flag from a file and from options; options win. @throws {CommandFailure} */
async function readFields(flags: Flags): Promise<object> {
  if (flags.has("on") && flags.has("off")) throw usageFailure("Specify --on or --off, not both");
  const [name, description, rollout] = [flags.one("name"), flags.one("description"), flags.one("rollout")];
  if (rollout !== undefined && !/^\d+(\.\d+)?$/.test(rollout))
    throw usageFailure(`--rollout must be a number from 0 to 100, not "${rollout}"`);
  return {
    ...(await readBody(flags)),
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(flags.has("on") && { status: "ACTIVE" }),
    ...(flags.has("off") && { status: "INACTIVE" }),
    ...(rollout !== undefined && { rollout_percentage: Number(rollout) }),
  };
}

function report(flags: Flags, flag: FeatureFlag): void {
  print(flags, flag, () => `${flag.key} is ${flag.status}, for ${flag.rollout_percentage} % of users`);
}
