import { createEngine, type Definitions, type DefinitionsChange, type Engine } from "@assay/core";
import { type Connection, type ConnectionError, createConnection } from "./connection.ts";
import { definitionParts } from "./definition-body.ts";
import type { DefinitionStorage } from "./definition-storage.ts";
import { createSourceWith, type Source, type SourceListeners, type SourceOptions } from "./source.ts";
import { followChanges } from "./stream.ts";

export interface DefinitionSourceOptions extends Omit<SourceOptions, "stored"> {
  /** Definitions to answer from, as expired ones, until the server has answered. */
  bootstrap?: Definitions;
  /** Keeps the last good definitions and answers from them, as expired ones, if the first fetch fails. */
  stored?: DefinitionStorage | undefined;
}

export interface DefinitionSourceListeners extends SourceListeners<Definitions> {
  /** Definitions have changed; names exactly the affected flags and experiments. */
  onChange?(change: DefinitionsChange): void;
}

/** Definitions fetched from the server and kept fresh, behind an engine that answers from them. */
export type DefinitionSource = Source<Definitions, Engine>;

/**
 * Creates a definition source; inert until `open`.
 * @example
 * const source = createDefinitionSource({ apiKey: "asy_…" });
 * await source.open();
 * source.engine.evaluate("new-checkout", { targetingKey: "user-123" }, false).value;
 * @throws OptionError if an option is invalid
 */
export function createDefinitionSource(
  options: DefinitionSourceOptions,
  listeners: DefinitionSourceListeners = {},
  connection: Connection = createConnection(options),
): DefinitionSource {
  const parts = { ...definitionParts, createEngine, followChanges };
  const source = createSourceWith(parts, options, listeners, connection);
  if (listeners.onChange) source.engine.onChange(listeners.onChange);
  const { open, close } = source;
  let isOpen = false;

  /** Answers from the storage, unless the server answered first. */
  async function restore(error: ConnectionError): Promise<void> {
    const definitions = error.fatal ? undefined : await options.stored?.load();
    if (source.isReady) return;
    if (definitions === undefined) throw error;
    if (isOpen) source.take({ definitions });
  }

  return Object.assign(source, {
    open(known?: Parameters<typeof open>[0]) {
      isOpen = true;
      return open(known).catch(restore);
    },
    close() {
      isOpen = false;
      close();
    },
  });
}
