import type { Definitions } from "../format/definition.ts";
import type { Outline } from "../format/outline.ts";
import type { LinkDefinitions, LinkedDefinitions } from "../runtime/linked-definitions.ts";
import type { Links, StepLimit } from "../runtime/links.ts";

/** Options of an engine. */
export interface EngineOptions {
  /**
   * The current time in milliseconds since the epoch.
   * @default Date.now
   */
  now?: () => number;
  /**
   * The limit of steps per evaluation; see `createStepLimit` of `@assay/core/server`.
   * @default no limit
   */
  limit?: StepLimit;
}

/** Definitions, or a program, that can be replaced while in use. */
export interface ReplaceableDefinitions<D extends Outline = Definitions> {
  /** The current definitions. */
  readonly definitions: D;
  /** Replaces all definitions at once. */
  update(definitions: D): unknown;
}

/** The linked definitions in use; a replacement changes `linked`. */
export interface CurrentDefinitions<S = LinkedDefinitions<unknown>> {
  linked: S;
}

/**
 * Creates replaceable definitions with the functions that evaluate them.
 * @param link links the first definitions, and each replacement of them
 * @param answer creates the functions; gets the default `update`, and may return another one
 * @throws like `link`
 */
export function createReplaceableDefinitions<D extends Outline, S extends LinkedDefinitions<D>, A extends object>(
  definitions: D,
  { now = Date.now, limit }: EngineOptions,
  link: LinkDefinitions<D, S>,
  answer: (current: CurrentDefinitions<S>, update: (next: D) => void) => A,
): ReplaceableDefinitions<D> & A {
  // References between definitions are resolved at evaluation, through `current`, so an unchanged definition is reused
  // even if a definition that it refers to changed.
  const links: Links = {
    segment: (idOrName) => current.linked.segments.get(idOrName),
    flag: (key) => current.linked.flags.get(key),
    now,
    limit,
  };
  const current = { linked: link(definitions, links) };
  function update(next: D): void {
    current.linked = link(next, links, current.linked);
  }
  const engine = {
    get definitions() {
      return current.linked.definitions;
    },
    update,
  };
  return Object.assign(engine, answer(current, update));
}
