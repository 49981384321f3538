import type { Definitions } from "../format/definition.ts";
import type { Outline } from "../format/outline.ts";
import type { Snapshot, ToSnapshot } from "../runtime/linked-definitions.ts";
import type { Links, StepLimit } from "../runtime/links.ts";

/** Options of an engine. */
export interface EngineOptions {
  /** Milliseconds since the epoch. @default Date.now */
  now?: () => number;
  /** Limits the steps of one evaluation, see `createStepLimit` of `@assay/core/server`. @default no limit */
  limit?: StepLimit;
}

/** Definitions, or a program made from them, which can be replaced while in use. */
export interface HeldDefinitions<D extends Outline = Definitions> {
  /** The current definitions. */
  readonly definitions: D;
  /** Replaces the definitions, all at once. */
  update(definitions: D): unknown;
}

/** Holds the current snapshot of definitions. */
export interface Holder<S = Snapshot<unknown>> {
  snapshot: S;
}

/** Holds definitions, and replaces them. Replacing returns the previous snapshot. @throws like `toSnapshot` */
export function hold<D, S extends Snapshot<D>>(
  first: D,
  { now = Date.now, limit }: EngineOptions,
  toSnapshot: ToSnapshot<D, S>,
) {
  // References between definitions are resolved at evaluation, through `holder`, so an unchanged definition is reused
  // even if a definition that it refers to changed.
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

/** Creates held definitions with their answers. @throws like `toSnapshot` */
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
