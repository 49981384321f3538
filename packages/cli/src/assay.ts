import { stripVTControlCharacters } from "node:util";
import { type CommandDef, defineCommand, renderUsage, runCommand } from "citty";
import { CommandFailure, usageFailure } from "./failure.ts";
import { version } from "./manifest.ts";
import { resolve, tasksOf } from "./tasks.ts";

/** The commands, loaded on demand, because an import needs no server. */
const commands: Record<string, () => Promise<CommandDef>> = {
  serve: async () => (await import("./serve/command.ts")).serve,
  relay: async () => (await import("./relay/command.ts")).relay,
  import: async () => (await import("./import/command.ts")).importing,
  demo: async () => (await import("./demo/command.ts")).demo,
  audit: async () => (await import("./audit/command.ts")).audit,
  backup: async () => (await import("./backup/command.ts")).backup,
  restore: async () => (await import("./backup/command.ts")).restore,
  copy: async () => (await import("./copy/command.ts")).copy,
  check: async () => (await import("./check/command.ts")).check,
  repair: async () => (await import("./check/command.ts")).repair,
  secrets: async () => (await import("./secrets/command.ts")).secrets,
  keys: async () => (await import("./keys/command.ts")).keys,
  init: async () => (await import("./init/command.ts")).init,
  profiles: async () => (await import("./profiles/command.ts")).profiles,
  doctor: async () => (await import("./doctor/command.ts")).doctor,
  flags: async () => (await import("./feature-flags/command.ts")).featureFlags,
  experiments: async () => (await import("./experiments/command.ts")).experiments,
  promote: async () => (await import("./promote/command.ts")).promote,
  pull: async () => (await import("./pull/command.ts")).pull,
  push: async () => (await import("./push/command.ts")).push,
  users: async () => (await import("./users/command.ts")).users,
  results: async () => (await import("./results/command.ts")).results,
  types: async () => (await import("./types/command.ts")).types,
  migrate: async () => (await import("./migrate/command.ts")).migrate,
  completion: async () => (await import("./completion/command.ts")).completionOf(assay),
};
const assay: CommandDef = {
  meta: { name: "assay", version, description: "Feature flags and experiments" },
  subCommands: commands,
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
    return console.log(plain(await renderUsage(command, parent)));
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
