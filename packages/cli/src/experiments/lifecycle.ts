import type { Client } from "@assay/client";
import { type ArgsDef, type CommandDef, defineCommand } from "citty";
import { USER_ARGS, withUser } from "../connection.ts";
import { type Flags, readFlags, requireWord } from "../flags.ts";
import { print } from "../output.ts";

const args: ArgsDef = {
  key: { type: "positional", required: false, description: "Key or id of the experiment" },
  ...USER_ARGS,
};

type Move = "start" | "pause" | "archive";

/** Creates the task that moves an experiment to another status. Only users may. */
function move(name: Move, description: string): CommandDef {
  return defineCommand({
    meta: { name, description },
    args,
    run: ({ rawArgs }) =>
      perform(readFlags(rawArgs, args), (client, experiment_id) =>
        client.request(`POST /experiments/{experiment_id}/${name}`, { params: { experiment_id } }),
      ),
  });
}

export const start = move("start", "Start or resume an experiment");
export const pause = move("pause", "Pause an experiment");
export const archive = move("archive", "Archive an experiment");

const completeArgs: ArgsDef = {
  ...args,
  winner: { type: "string", valueHint: "variant", description: "Variant that the flag then serves to all users" },
};

/** `assay experiments complete`: ends an experiment, with or without a winner. */
export const complete: CommandDef = defineCommand({
  meta: { name: "complete", description: "Complete an experiment" },
  args: completeArgs,
  run({ rawArgs }) {
    const flags = readFlags(rawArgs, completeArgs);
    const winner = flags.one("winner");
    return perform(flags, (client, experiment_id) =>
      client.request("POST /experiments/{experiment_id}/complete", {
        params: { experiment_id },
        body: winner === undefined ? {} : { winner },
      }),
    );
  },
});

async function perform(
  flags: Flags,
  send: (client: Client, id: string) => Promise<{ key: string; status: string }>,
): Promise<void> {
  const id = requireWord(flags, 0, "the key of the experiment");
  const experiment = await withUser(flags, (client) => send(client, id));
  print(flags, experiment, () => `${experiment.key} is ${experiment.status}`);
}
