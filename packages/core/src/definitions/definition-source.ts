import type { Definitions } from "../evaluation/definition.ts";
import { createEngine, type Engine } from "../evaluation/engine.ts";
import type { DefinitionsChange, HeldDefinitions } from "../evaluation/live-definitions.ts";
import { followChanges } from "./change-stream.ts";
import type { ConnectionError, ConnectionOptions } from "./connection.ts";
import type { DefinitionStorage } from "./definition-storage.ts";
import { createSourceWith } from "./source.ts";

export interface DefinitionSourceOptions extends ConnectionOptions {
  /**
   * Milliseconds for which fetched definitions count as fresh; then they are served on while they are fetched anew.
   * @default 300000
   */
  cacheTtlMs?: number;
  /**
   * Hears of changes at once, over a stream of server-sent events, instead of with the next fetch. The open connection
   * keeps a Node process alive until `close`.
   * @default false
   */
  streaming?: boolean;
  /** Definitions to answer from, as expired ones, until the server has answered. */
  bootstrap?: Definitions;
  /** Keeps the last good definitions, to answer from, as expired ones, where the first fetch fails. */
  stored?: DefinitionStorage;
  /** Milliseconds since the epoch. @default Date.now */
  now?: () => number;
}

/** `CACHED` while the definitions are fresh, `STATIC` once they have expired and are being fetched anew. */
export type Freshness = "CACHED" | "STATIC";

export interface SourceListeners {
  /** Definitions have changed; names exactly the flags and experiments concerned. */
  onChange?(change: DefinitionsChange): void;
  /** Fetching failed; what was served before is served on. `error.fatal`: the key was rejected. */
  onError?(error: ConnectionError): void;
  /** Fetching works again, or for the first time after `open` had failed. */
  onRecover?(): void;
}

/** Definitions from an earlier answer. */
export interface KnownDefinitions {
  definitions: Definitions;
  etag?: string | undefined;
}

/** Definitions fetched from the server and kept fresh, behind an engine that answers from them. */
export interface DefinitionSource<E extends HeldDefinitions = Engine> {
  /** Answers from the newest good definitions; the same object for as long as the source lives. */
  readonly engine: E;
  /** Whether there are definitions to answer from. */
  readonly isReady: boolean;
  /** Whether they are fresh; where they are not, starts fetching them. */
  freshness(): Freshness;
  /**
   * Starts fetching; resolves once there are definitions, which with `bootstrap` is at once. May be called again
   * after `close`. Where the first fetch fails, fetching goes on in the background, unless the error is fatal.
   * @param known to answer from, as expired ones, where there are none yet
   * @throws ConnectionError where the first fetch fails, and nothing good is stored.
   */
  open(known?: KnownDefinitions): Promise<void>;
  /**
   * Fetches now; calls that come while one is under way share it.
   * @throws ConnectionError where that fails.
   */
  refresh(): Promise<void>;
  /** Fetches in the background, unless the server has asked to wait, or has rejected the key. */
  revalidate(): void;
  /**
   * Fetches anew, because something else is to be asked: an answer to what was asked before is never taken over. Until
   * then `known`, else what there is, is served on; where fetching fails, `known`, else nothing.
   * @throws ConnectionError where that fails.
   */
  restart(known?: KnownDefinitions): Promise<void>;
  /** Stops fetching and drops what is under way; the engine goes on answering. */
  close(): void;
}

/**
 * Creates a definition source; inert until `open`.
 * @example
 * const source = createDefinitionSource({ apiKey: "asy_…" });
 * await source.open();
 * source.engine.evaluate("new-checkout", { targetingKey: "user-123" }, false).value;
 * @throws OptionError where an option is not of its kind.
 */
export function createDefinitionSource(
  options: DefinitionSourceOptions,
  listeners: SourceListeners = {},
): DefinitionSource {
  const source = createSourceWith({ createEngine, followChanges }, options, listeners);
  if (listeners.onChange) source.engine.onChange(listeners.onChange);
  return source;
}
