import { parseArgs } from "node:util";
import type { ArgsDef } from "citty";
import { reasonOf, usageFailure } from "./failure.ts";

/** The parsed arguments of a command: flags by name with all their values, and the other words. */
export interface Flags {
  /** Returns the last value of a flag; undefined if it was not given. */
  one(name: string): string | undefined;
  /** Returns all values of a flag that may be repeated. */
  all(name: string): string[];
  /** Returns whether a flag that takes no value was given. */
  has(name: string): boolean;
  positionals: string[];
}

/**
 * Parses the arguments of a command by its declared flags, strictly: citty itself accepts unknown ones.
 * @param takesMany whether any number of words may follow
 * @throws {CommandFailure} for an unknown flag, one without its value, and extra arguments
 */
export function readFlags(words: string[], declared: ArgsDef, takesMany = false): Flags {
  const names = Object.keys(declared).filter((name) => declared[name]?.type !== "positional");
  const typeOf = (name: string) => (declared[name]?.type === "boolean" ? "boolean" : "string");
  const options = Object.fromEntries(names.map((name) => [name, { type: typeOf(name), multiple: true } as const]));
  const places = Object.keys(declared).length - names.length;
  try {
    const { values, positionals } = parseArgs({ args: words, options, allowPositionals: true, strict: true });
    if (positionals.length > places && !takesMany) throw new Error(`Unexpected argument "${positionals[places]}"`);
    const all = (name: string) => (values[name] ?? []) as string[];
    return { positionals, all, one: (name) => all(name).at(-1), has: (name) => name in values };
  } catch (error) {
    throw usageFailure(firstSentence(reasonOf(error)));
  }
}

/** Returns the word at a place. @param what it is, for the error. @throws {CommandFailure} if it is missing */
export function requireWord(flags: Flags, place: number, what: string): string {
  const word = flags.positionals[place];
  if (word) return word;
  throw usageFailure(`Specify ${what}`);
}

/** Returns the first sentence, without Node's advice about `--`, which does not apply here. */
function firstSentence(text: string): string {
  return text.split(/\.\s/, 1)[0]!;
}
