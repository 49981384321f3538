import { createRequire } from "node:module";
import { stripVTControlCharacters } from "node:util";
import { type CommandDef, renderUsage, runCommand } from "citty";
import { CommandFailure, usageFailure } from "./failure.ts";

const { version } = createRequire(import.meta.url)("../package.json") as { version: string };

/** The commands, loaded on demand, because an import needs no server. */
const commands: Record<string, () => Promise<CommandDef>> = {
  serve: async () => (await import("./serve/command.ts")).serve,
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
  flags: async () => (await import("./feature-flags/command.ts")).featureFlags,
  results: async () => (await import("./results/command.ts")).results,
  types: async () => (await import("./types/command.ts")).types,
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
  const [name, ...rest] = words;
  const command = name !== undefined && Object.hasOwn(commands, name) ? await commands[name]?.() : undefined;
  const asksForHelp = words.some((word) => word === "--help" || word === "-h");
  if (command && !asksForHelp) {
    await runCommand(command, { rawArgs: rest });
  } else if (command) {
    console.log(plain(await renderUsage(command, assay)));
  } else if (asksForHelp || name === "help") {
    console.log(plain(await renderUsage(assay)));
  } else if (name === "--version" || name === "-v") {
    console.log(version);
  } else {
    const problem = name === undefined ? "Specify a command" : `Unknown command "${name}"`;
    throw usageFailure(`${problem}: ${Object.keys(commands).join(", ")} (assay --help)`);
  }
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
