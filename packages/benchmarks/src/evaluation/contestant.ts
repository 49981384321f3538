import type { Flag, User } from "./scenario.ts";

/** A boolean of a flag that is on for half of the users; of a flag with rules a variant, or `none`. */
export type Answer = boolean | string;

/** A loaded engine. Calls that are timed take what `toContext` has prepared. */
export interface Engine {
  /** The user as the engine wants it. */
  toContext(user: User): unknown;
  /** Returns the evaluation of one flag. */
  one(flag: Flag): (context: never) => unknown;
  /** Evaluates all flags at once, by the engine's own call for that if it has one. */
  all(context: never): unknown;
  /** Reads the answer from the result of `one`; absent where the result is the answer. */
  read?(result: never, flag: Flag): Answer;
  /** Reads the answer to a flag from the result of `all`. */
  readAll(result: never, flag: Flag): Answer;
  close?(): unknown;
}

/** An engine that can be measured. */
export interface Contestant {
  name: string;
  /** Its npm package, for the version; absent for floors. */
  packageName?: string;
  load(flags: readonly Flag[]): Engine | Promise<Engine>;
}
