import { stripVTControlCharacters } from "node:util";
import { type CommandDef, defineCommand, renderUsage, runCommand } from "citty";
import { CommandFailure, usageFailure } from "./failure.ts";
import { version } from "./manifest.ts";
import { resolve, tasksOf } from "./tasks.ts";

/** A command, whose module is loaded when it runs: an import needs no server, and help needs none of them. */
interface Command {
  /** What the command's own `meta` says. */
  description: string;
  load(): Promise<CommandDef>;
}

/** The commands in the order of help, except `completion`, which is about all of them. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  serve: { description: "Serve the API", load: async () => (await import("./serve/command.ts")).serve },
  relay: {
    description: "Serve flags, streams and events for a server elsewhere",
    load: async () => (await import("./relay/command.ts")).relay,
  },
  import: {
    description: "Import a CSV of exposures and outcomes into an experiment",
    load: async () => (await import("./import/command.ts")).importing,
  },
  demo: {
    description: "Run a flag and a real experiment on a temporary server",
    load: async () => (await import("./demo/command.ts")).demo,
  },
  audit: {
    description: "Verify the sealed audit trail, or redact an entry (ASSAY_AUDIT_KEY)",
    load: async () => (await import("./audit/command.ts")).audit,
  },
  backup: {
    description: "Write a server's data to a file, also while it runs",
    load: async () => (await import("./backup/command.ts")).backup,
  },
  restore: {
    description: "Put a backup into an empty data directory",
    load: async () => (await import("./backup/command.ts")).restore,
  },
  copy: {
    description: "Copy a server's data to another kind of storage, also while it runs",
    load: async () => (await import("./copy/command.ts")).copy,
  },
  check: {
    description: "Find damaged records in a server's data",
    load: async () => (await import("./check/command.ts")).check,
  },
  repair: {
    description: "Set damaged records aside, and put them back from a backup",
    load: async () => (await import("./check/command.ts")).repair,
  },
  secrets: {
    description: "Encrypt stored credentials under a new key (ASSAY_SECRETS_KEYS)",
    load: async () => (await import("./secrets/command.ts")).secrets,
  },
  keys: {
    description: "List, create, revoke and rotate API keys",
    load: async () => (await import("./keys/command.ts")).keys,
  },
  init: {
    description: "Create data, or sign in to a server, and keep an API key in a profile",
    load: async () => (await import("./init/command.ts")).init,
  },
  profiles: {
    description: "List, choose and remove the profiles of servers",
    load: async () => (await import("./profiles/command.ts")).profiles,
  },
  doctor: {
    description: "Check this machine, the profile and the server, and say how to mend problems",
    load: async () => (await import("./doctor/command.ts")).doctor,
  },
  flags: {
    description: "List, create, change and switch off flags; find stale ones in a source tree",
    load: async () => (await import("./feature-flags/command.ts")).featureFlags,
  },
  experiments: {
    description: "List, create, start, pause, complete and archive experiments",
    load: async () => (await import("./experiments/command.ts")).experiments,
  },
  promote: {
    description: "Take flags, segments and experiments from one environment to another",
    load: async () => (await import("./promote/command.ts")).promote,
  },
  pull: {
    description: "Write flags, segments and experiments to files",
    load: async () => (await import("./pull/command.ts")).pull,
  },
  push: {
    description: "Change flags, segments and experiments to what files say",
    load: async () => (await import("./push/command.ts")).push,
  },
  users: {
    description: "List, create and change users",
    load: async () => (await import("./users/command.ts")).users,
  },
  results: {
    description: "Print the results of an experiment",
    load: async () => (await import("./results/command.ts")).results,
  },
  types: {
    description: "Write typed accessors for the flags of a server",
    load: async () => (await import("./types/command.ts")).types,
  },
  migrate: {
    description: "Migrate flags, segments and experiments from another product",
    load: async () => (await import("./migrate/command.ts")).migrate,
  },
};

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
