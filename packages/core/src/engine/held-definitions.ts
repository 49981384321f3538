import type { Definitions } from "../format/definition.ts";
import type { Outline } from "../format/outline.ts";
import type { Snapshot, ToSnapshot } from "../runtime/linked-definitions.ts";
import type { Links, StepLimit } from "../runtime/links.ts";

/** What an engine may be given. */
export interface EngineOptions {
  /** Milliseconds since the epoch. @default Date.now */
  now?: () => number;
  /** Bounds what one evaluation takes, see `createStepLimit` of `@assay/core/server`. @default no bound */
  limit?: StepLimit;
}

/** One set of definitions, or a program of them, which can be replaced while it is in use. */
export interface HeldDefinitions<D extends Outline = Definitions> {
  /** The definitions that answers come from now. */
  readonly definitions: D;
  /** Replaces the definitions, all at once. */
  update(definitions: D): unknown;
}

/** Where the current snapshot of definitions is; answers come from it. */
export interface Holder<S = Snapshot<unknown>> {
  snapshot: S;
}

/** Holds definitions, and replaces them by the next ones, which answers those before. @throws what `toSnapshot` does */
export function hold<D, S extends Snapshot<D>>(
  first: D,
  { now = Date.now, limit }: EngineOptions,
  toSnapshot: ToSnapshot<D, S>,
) {
  // References between definitions are followed at evaluation, through `holder`, so what did not change itself is
  // carried over even where what it refers to did.
  const links: Links = {
    segment: (idOrName) => holder.snapshot.segments.get(idOrName),
    flag: (key) => holder.snapshot.flags.get(key),
    now,
    limit,
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
