import type { Definitions } from "../format/definition.ts";
import { type CompiledDefinitions, type DefinitionCompiler, diffCompiled } from "./compiled-definitions.ts";
import {
  type CurrentDefinitions,
  createReplaceableDefinitions,
  type EngineOptions,
  type ReplaceableDefinitions,
} from "./replaceable-definitions.ts";

/** The keys of flags and experiments whose results a change may have changed, without duplicates, sorted. */
export interface DefinitionsChange {
  flags: string[];
  experiments: string[];
}

/** Replaceable definitions that report changes; the base of engines over definitions. */
export interface ObservableDefinitions extends ReplaceableDefinitions {
  /**
   * Calls the listener after each update with the flags and experiments that changed, directly or through a segment, a
   * prerequisite, the holdout or a group. Returns a function that removes the listener.
   */
  onChange(listener: (change: DefinitionsChange) => void): () => void;
  /**
   * Replaces the definitions: compiles what changed, swaps all at once, then calls the listeners. Errors of listeners
   * are rethrown after all listeners have been called.
   *
   * @throws SchemaVersionError if the definitions have a later format; the current definitions stay.
   */
  update(definitions: Definitions): DefinitionsChange;
}

/**
 * Creates observable definitions with the functions that evaluate them.
 * @throws SchemaVersionError if the definitions have a later format
 */
export function createObservableDefinitions<A extends object>(
  definitions: Definitions,
  options: EngineOptions,
  compile: DefinitionCompiler,
  answer: (current: CurrentDefinitions<CompiledDefinitions>) => A,
): ObservableDefinitions & A {
  const listeners = new Set<(change: DefinitionsChange) => void>();
  return createReplaceableDefinitions(definitions, options, compile, (current, replace) => ({
    ...answer(current),
    onChange(listener: (change: DefinitionsChange) => void) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    update(next: Definitions) {
      const before = current.linked;
      replace(next);
      const change = diffCompiled(before, current.linked);
      if (change.flags.length + change.experiments.length > 0) notify(listeners, change);
      return change;
    },
  }));
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
