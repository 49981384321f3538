import { stripVTControlCharacters } from "node:util";
import { type CommandDef, defineCommand, renderUsage, runCommand } from "citty";
import { COMMANDS } from "./commands.ts";
import { CommandFailure, usageFailure } from "./failure.ts";
import { version } from "./manifest.ts";
import { resolve, tasksOf } from "./tasks.ts";

const assay: CommandDef = {
  meta: { name: "assay", version, description: "Feature flags and experiments" },
  subCommands: {
    ...Object.fromEntries(Object.entries(COMMANDS).map(([name, { load }]) => [name, load])),
    completion: async () => (await import("./completion/command.ts")).completionOf(assay),
  },
};
/** The same for help, which needs only names and descriptions. */
const outline: CommandDef = {
  ...assay,
  subCommands: {
    ...Object.fromEntries(
      Object.entries(COMMANDS).map(([name, { description }]) => [name, { meta: { name, description } }]),
    ),
    completion: { meta: { name: "completion", description: "Print the completion script of bash, zsh or fish" } },
  },
};

/** Runs one command line and exits the process with 0 on success, 1 on failure, or 2 on wrong usage. */
export async function runCli(words: string[]): Promise<never> {
  try {
    await dispatch(words);
    process.exit(0);
  } catch (error) {
    const { message, exitCode } = toFailure(error);
    if (message) console.error(message.replace(/^/gm, "assay: "));
    process.exit(exitCode);
  }
}

async function dispatch(words: string[]): Promise<void> {
  if (words[0] === "help") words = ["--help"];
  if (words[0] === "--version" || words[0] === "-v") return console.log(version);
  const asksForHelp = words.some((word) => word === "--help" || word === "-h");
  let [command, rest] = [assay, words];
  for (let tasks = await tasksOf(command); tasks; tasks = await tasksOf(command)) {
    const [name, ...others] = rest;
    if (name === undefined || !Object.hasOwn(tasks, name)) {
      if (asksForHelp) break;
      throw usageFailure(describeMissing(command === assay, name, Object.keys(tasks), words));
    }
    [command, rest] = [await resolve(tasks[name]!), others];
  }
  if (asksForHelp) {
    const above = ["assay", ...words.slice(0, words.length - rest.length - 1)].join(" ");
    const parent = command === assay ? undefined : defineCommand({ meta: { name: above } });
    return console.log(plain(await renderUsage(command === assay ? outline : command, parent)));
  }
  await runCommand(command, { rawArgs: rest });
}

function describeMissing(isFirst: boolean, name: string | undefined, known: string[], words: string[]): string {
  const what = isFirst ? "command" : "task";
  const problem = name === undefined || name.startsWith("-") ? `Specify a ${what}` : `Unknown ${what} "${name}"`;
  return `${problem}: ${known.join(", ")} (assay ${isFirst ? "" : `${words[0]} `}--help)`;
}

function toFailure(error: unknown): CommandFailure {
  if (error instanceof CommandFailure) return error;
  if (error instanceof Error && error.name === "CLIError") return usageFailure(error.message);
  return new CommandFailure(error instanceof Error ? (error.stack ?? error.message) : String(error), 1);
}

/** Removes colours, which citty writes to any output. */
function plain(text: string): string {
  return process.stdout.isTTY ? text : stripVTControlCharacters(text);
}
