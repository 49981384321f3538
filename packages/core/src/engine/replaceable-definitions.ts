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
export interface ReplaceableDefinitions<D extends Outline = Definitions> {
  /** The current definitions. */
  readonly definitions: D;
  /** Replaces the definitions, all at once. */
  update(definitions: D): unknown;
}

/** A reference to the current snapshot of the definitions, which a replacement changes. */
export interface CurrentSnapshot<S = Snapshot<unknown>> {
  snapshot: S;
}

/**
 * Creates the first snapshot of definitions. `replace` makes the next one current, and returns the previous.
 * @throws like `toSnapshot`
 */
export function createCurrentSnapshot<D, S extends Snapshot<D>>(
  first: D,
  { now = Date.now, limit }: EngineOptions,
  toSnapshot: ToSnapshot<D, S>,
) {
  // References between definitions are resolved at evaluation, through `current`, so an unchanged definition is reused
  // even if a definition that it refers to changed.
  const links: Links = {
    segment: (idOrName) => current.snapshot.segments.get(idOrName),
    flag: (key) => current.snapshot.flags.get(key),
    now,
    limit,
  };
  const current: CurrentSnapshot<S> = { snapshot: toSnapshot(first, links) };
  const replace = (next: D) => {
    const before = current.snapshot;
    current.snapshot = toSnapshot(next, links, before);
    return before;
  };
  return { current, replace };
}

/** Creates replaceable definitions with their answers. @throws like `toSnapshot` */
export function createReplaceableDefinitions<D extends Outline, A extends object>(
  definitions: D,
  options: EngineOptions,
  toSnapshot: ToSnapshot<D>,
  answer: (current: CurrentSnapshot) => A,
): ReplaceableDefinitions<D> & A {
  const { current, replace } = createCurrentSnapshot(definitions, options, toSnapshot);
  const engine: ReplaceableDefinitions<D> = {
    get definitions() {
      return current.snapshot.definitions;
    },
    update: replace,
  };
  return Object.assign(engine, answer(current));
}
