import type { CommandDef, Resolvable } from "citty";

/** Loads a command that is loaded on demand. */
export async function resolve<T>(value: Resolvable<T>): Promise<T> {
  return await (typeof value === "function" ? (value as () => T | Promise<T>)() : value);
}

/** Returns the tasks of a command, such as `list` of `assay flags`; undefined if it has none. */
export async function tasksOf(command: CommandDef): Promise<Record<string, Resolvable<CommandDef>> | undefined> {
  const tasks = await resolve(command.subCommands);
  return tasks as Record<string, Resolvable<CommandDef>> | undefined;
}
