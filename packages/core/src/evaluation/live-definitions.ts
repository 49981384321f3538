import type { Links } from "../program/links.ts";
import type { Outline } from "../program/outline.ts";
import type { Snapshot, ToSnapshot } from "../program/snapshot.ts";
import type { Definitions } from "./definition.ts";

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

/** One set of definitions, or a program of them, which can be replaced while it is in use. */
export interface HeldDefinitions<D extends Outline = Definitions> {
  /** The definitions that answers come from now. */
  readonly definitions: D;
  /**
   * Replaces the definitions: compiles what changed, and swaps all at once.
   *
   * @throws SchemaVersionError where the definitions are of a later format; the current ones stay.
   */
  update(definitions: D): unknown;
}

/** Definitions that tell what a replacement changed; what all engines are built on. */
export interface LiveDefinitions<D extends Outline = Definitions> extends HeldDefinitions<D> {
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
  update(definitions: D): DefinitionsChange;
}

/** Where the current snapshot of definitions is; answers come from it. */
export interface Holder<S = Snapshot<unknown>> {
  snapshot: S;
}

/** Definitions that are held, and what the next ones replace. */
function hold<D, S extends Snapshot<D>>(first: D, { now = Date.now }: EngineOptions, toSnapshot: ToSnapshot<D, S>) {
  // References between definitions are followed at evaluation, through `holder`, so what did not change itself is
  // carried over even where what it refers to did.
  const links: Links = {
    segment: (idOrName) => holder.snapshot.segments.get(idOrName),
    flag: (key) => holder.snapshot.flags.get(key),
    now,
  };
  const holder: Holder<S> = { snapshot: toSnapshot(first, links) };
  const replace = (next: D) => {
    const before = holder.snapshot;
    holder.snapshot = toSnapshot(next, links, before);
    return before;
  };
  return { holder, replace };
}

/** Creates held definitions with the answers that come from them. @throws what `toSnapshot` does */
export function createHeldDefinitions<D extends Outline, A extends object>(
  definitions: D,
  options: EngineOptions,
  toSnapshot: ToSnapshot<D>,
  answer: (holder: Holder) => A,
): HeldDefinitions<D> & A {
  const { holder, replace } = hold(definitions, options, toSnapshot);
  const held: HeldDefinitions<D> = {
    get definitions() {
      return holder.snapshot.definitions;
    },
    update: replace,
  };
  return Object.assign(held, answer(holder));
}

/** Creates live definitions with the answers that come from them. @throws what `toSnapshot` does */
export function createLiveDefinitions<D extends Outline, S extends Snapshot<D>, A extends object>(
  definitions: D,
  options: EngineOptions,
  toSnapshot: ToSnapshot<D, S>,
  diff: (before: S, after: S) => DefinitionsChange,
  answer: (holder: Holder) => A,
): LiveDefinitions<D> & A {
  const listeners = new Set<(change: DefinitionsChange) => void>();
  const { holder, replace } = hold(definitions, options, toSnapshot);
  const live: LiveDefinitions<D> = {
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
      const change = diff(replace(next), holder.snapshot);
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
