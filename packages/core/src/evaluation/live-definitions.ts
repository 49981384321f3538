import { type Definitions, SCHEMA_VERSION } from "./definition.ts";
import type { Environment } from "./environment.ts";
import { type Compilers, compileSnapshot, diffSnapshots, type Snapshot } from "./snapshot.ts";

/** The keys whose answers a change of definitions may have changed, each once, sorted. */
export interface DefinitionsChange {
  flags: string[];
  experiments: string[];
}

/** What an engine may be given. */
export interface EngineOptions {
  /** Milliseconds since the epoch. @default Date.now */
  now?: () => number;
}

/** One set of definitions, which can be replaced while it is in use. */
export interface HeldDefinitions {
  /** The definitions that answers come from now. */
  readonly definitions: Definitions;
  /**
   * Replaces the definitions: compiles what changed, and swaps all at once.
   *
   * @throws SchemaVersionError where the definitions are of a later format; the current ones stay.
   */
  update(definitions: Definitions): unknown;
}

/** Definitions that tell what a replacement changed; what all engines are built on. */
export interface LiveDefinitions extends HeldDefinitions {
  /**
   * Calls the listener after every update that changes something, with exactly the flags and experiments that
   * changed, be it through a segment, a prerequisite, the holdout or a group. Returns the function that stops it.
   */
  onChange(listener: (change: DefinitionsChange) => void): () => void;
  /**
   * Replaces the definitions: compiles what changed, swaps all at once, then tells the listeners. What a listener
   * throws is thrown on when all have been told.
   *
   * @throws SchemaVersionError where the definitions are of a later format; the current ones stay.
   */
  update(definitions: Definitions): DefinitionsChange;
}

/** Definitions of a later format than this evaluator knows. */
export class SchemaVersionError extends Error {
  override readonly name = "SchemaVersionError";
  readonly version: number;

  constructor(version: number) {
    super(
      `Definitions of schema version ${version} need a newer evaluator than this one, which knows ${SCHEMA_VERSION}`,
    );
    this.version = version;
  }
}

/** Where the current snapshot of definitions is; answers come from it. */
export interface Holder {
  readonly snapshot: Snapshot;
}

/** Holds definitions: creates the place of their snapshot, and what puts the next one there. */
function hold(definitions: Definitions, { now }: EngineOptions, compilers: Compilers) {
  // References between definitions are followed at evaluation, through `holder`, so what did not change itself is
  // carried over even where what it refers to did.
  const environment: Environment = {
    segment: (idOrName) => holder.snapshot.segments.get(idOrName)?.test,
    flag: (key) => holder.snapshot.flags.get(key),
    now,
  };
  const compile = (next: Definitions, previous: Snapshot | null) => {
    if (next.schema_version > SCHEMA_VERSION) throw new SchemaVersionError(next.schema_version);
    return compileSnapshot(next, previous, environment, compilers);
  };
  const holder = { snapshot: compile(definitions, null) };
  const replace = (next: Definitions) => {
    holder.snapshot = compile(next, holder.snapshot);
  };
  return { holder, replace };
}

/**
 * Creates held definitions with the answers that come from them.
 *
 * @throws SchemaVersionError where the definitions are of a later format.
 */
export function createHeldDefinitions<A extends object>(
  definitions: Definitions,
  options: EngineOptions,
  compilers: Compilers,
  answer: (holder: Holder) => A,
): HeldDefinitions & A {
  const { holder, replace } = hold(definitions, options, compilers);
  const held: HeldDefinitions = {
    get definitions() {
      return holder.snapshot.definitions;
    },
    update: replace,
  };
  return Object.assign(held, answer(holder));
}

/**
 * Creates live definitions with the answers that come from them.
 *
 * @throws SchemaVersionError where the definitions are of a later format.
 */
export function createLiveDefinitions<A extends object>(
  definitions: Definitions,
  options: EngineOptions,
  compilers: Compilers,
  answer: (holder: Holder) => A,
): LiveDefinitions & A {
  const listeners = new Set<(change: DefinitionsChange) => void>();
  const { holder, replace } = hold(definitions, options, compilers);
  const live: LiveDefinitions = {
    get definitions() {
      return holder.snapshot.definitions;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    update(next) {
      const previous = holder.snapshot;
      replace(next);
      const change = diffSnapshots(previous, holder.snapshot);
      if (change.flags.length + change.experiments.length > 0) notify(listeners, change);
      return change;
    },
  };
  return Object.assign(live, answer(holder));
}

function notify(listeners: Iterable<(change: DefinitionsChange) => void>, change: DefinitionsChange): void {
  const errors: unknown[] = [];
  for (const listener of [...listeners]) {
    try {
      listener(change);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}
