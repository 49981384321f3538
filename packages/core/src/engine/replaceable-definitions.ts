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

/** Current definitions with the function that replaces them. */
interface OwnDefinitions<D, S> extends CurrentDefinitions<S> {
  /** Links the next definitions, makes them current and returns the previous ones. @throws like `link` */
  replace(next: D): S;
}

/** Links definitions. @throws like `link` */
export function createCurrentDefinitions<D, S extends LinkedDefinitions<D>>(
  first: D,
  { now = Date.now, limit }: EngineOptions,
  link: LinkDefinitions<D, S>,
): OwnDefinitions<D, S> {
  // References between definitions are resolved at evaluation, through `current`, so an unchanged definition is reused
  // even if a definition that it refers to changed.
  const links: Links = {
    segment: (idOrName) => current.linked.segments.get(idOrName),
    flag: (key) => current.linked.flags.get(key),
    now,
    limit,
  };
  const current: OwnDefinitions<D, S> = {
    linked: link(first, links),
    replace(next) {
      const before = current.linked;
      current.linked = link(next, links, before);
      return before;
    },
  };
  return current;
}

/**
 * Creates replaceable definitions with the functions that evaluate them.
 * @throws like `link`
 */
export function createReplaceableDefinitions<D extends Outline, A extends object>(
  definitions: D,
  options: EngineOptions,
  link: LinkDefinitions<D>,
  answer: (current: CurrentDefinitions) => A,
): ReplaceableDefinitions<D> & A {
  const current = createCurrentDefinitions(definitions, options, link);
  const engine: ReplaceableDefinitions<D> = {
    get definitions() {
      return current.linked.definitions;
    },
    update: current.replace,
  };
  return Object.assign(engine, answer(current));
}
