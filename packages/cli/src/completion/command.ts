import { type ArgsDef, type CommandDef, defineCommand } from "citty";
import { usageFailure } from "../failure.ts";
import { readFlags } from "../flags.ts";
import { resolve, tasksOf } from "../tasks.ts";
import { SHELLS, type Words } from "./shells.ts";

const args: ArgsDef = { shell: { type: "positional", required: false, description: "bash, zsh or fish" } };

/** Creates `assay completion`: prints the script that completes commands, tasks and options in a shell. */
export function completionOf(root: CommandDef): CommandDef {
  return defineCommand({
    meta: { name: "completion", description: "Print the completion script of bash, zsh or fish" },
    args,
    async run({ rawArgs }) {
      const [shell = ""] = readFlags(rawArgs, args).positionals;
      if (!Object.hasOwn(SHELLS, shell)) throw usageFailure(`Specify a shell: ${Object.keys(SHELLS).join(", ")}`);
      const words: Words[] = [];
      await collect(root, [], words);
      console.log(SHELLS[shell as keyof typeof SHELLS](words));
    },
  });
}

/** Collects what may follow each command and each task. */
async function collect(command: CommandDef, path: string[], into: Words[]): Promise<void> {
  const tasks = await tasksOf(command);
  if (!tasks) {
    const declared = Object.entries((await resolve(command.args)) ?? {});
    const options = declared.filter(([, { type }]) => type !== "positional");
    into.push({ path, next: options.map(([name, { description }]) => [`--${name}`, description ?? ""]) });
    return;
  }
  const next: Words["next"] = [];
  into.push({ path, next });
  for (const [name, task] of Object.entries(tasks)) {
    const found = await resolve(task);
    next.push([name, (await resolve(found.meta))?.description ?? ""]);
    await collect(found, [...path, name], into);
  }
}
