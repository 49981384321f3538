import { fingerprint } from "../bucketing/bucket.ts";
import type { ConnectionError, ConnectionOptions } from "../definitions/connection.ts";
import {
  createDefinitionSource,
  type DefinitionSource,
  type SourceListeners,
} from "../definitions/definition-source.ts";
import { createDefinitionStorage } from "../definitions/definition-storage.ts";
import { createEventQueue, type TrackingEvent } from "../definitions/event-queue.ts";
import { requireOption } from "../definitions/option.ts";
import type { Engine } from "../evaluation/engine.ts";
import {
  type EmbeddedProviderOptions,
  type ProviderOptions,
  type RemoteProviderOptions,
  toTrackingOptions,
} from "./option.ts";
import type { ProviderState } from "./resolution.ts";

/** What a provider is to tell the SDK; each maps to the event of that name. */
export interface ProviderListeners {
  /** PROVIDER_CONFIGURATION_CHANGED, with exactly the flags whose answers may have changed. */
  onChange(flagsChanged: string[]): void;
  /** PROVIDER_STALE, once however long it lasts. */
  onStale(message: string): void;
  /** PROVIDER_READY: definitions are fresh again, or there for the first time after `open` had failed. */
  onReady(message: string): void;
}

/** What a provider needs of an engine. */
export type ProviderEngine = Pick<Engine, "definitions" | "evaluate" | "assign" | "onChange" | "update">;

/** Where answers come from and events go to. */
export interface Supply {
  engine: ProviderEngine;
  state(): ProviderState;
  /** Undefined where nothing is to be recorded. */
  send: ((event: TrackingEvent) => boolean) | undefined;
  open(): Promise<void>;
  close(): Promise<void>;
}

/** Hears of events that were lost. */
export type Dropped = (count: number, reason: Error) => void;

/** Creates the supply of a provider in the process of its server. @throws OptionError */
export function createEmbeddedSupply({ engine, track, tracking }: EmbeddedProviderOptions, dropped: Dropped): Supply {
  requireOption(typeof engine?.evaluate === "function", "engine", "an engine of @assay/core");
  const underWay = new Set<Promise<unknown>>();
  const send = (event: TrackingEvent): boolean => {
    const sent = (async () => track?.(event))()
      .catch((error) => dropped(1, error instanceof Error ? error : new Error(String(error))))
      .finally(() => underWay.delete(sent));
    underWay.add(sent);
    return true;
  };
  return {
    engine,
    state: () => "CACHED",
    send: track && tracking !== false ? send : undefined,
    async open() {},
    async close() {
      await Promise.all(underWay);
    },
  };
}

/** A source whose last good definitions are kept where the options say. @throws OptionError */
export function createStoredSource(options: RemoteProviderOptions, heard: SourceListeners): StoredSource {
  const { storage, logger, apiKey, baseUrl } = options;
  // Another key may see other flags, so it keeps them elsewhere; the name tells nothing of the key.
  const item = `assay:definitions:${fingerprint(`${baseUrl} ${apiKey}`, "storage")}`;
  const stored =
    storage &&
    createDefinitionStorage(storage, item, (error) => logger?.warn("The storage of definitions failed", error));
  return { source: createDefinitionSource({ ...options, stored }, heard), idle: async () => stored?.idle() };
}

/** A source, and what it may still be writing when it is closed. */
export interface StoredSource {
  source: DefinitionSource<ProviderEngine>;
  idle?(): Promise<void>;
}

/** A supply over HTTP. */
export interface RemoteSupply extends Supply {
  /** Sends what waits by a request that outlives the page. */
  flushBeforeUnload(): void;
  /** What was told to `onStale` and still holds. */
  readonly failure: ConnectionError | undefined;
}

/** Creates the supply of a provider over HTTP, from a source and a queue of events. @throws OptionError */
export function createRemoteSupply(
  createSource: (heard: SourceListeners) => StoredSource,
  options: ProviderOptions & ConnectionOptions & { now?: () => number },
  onDrop: Dropped,
  listeners: ProviderListeners,
): RemoteSupply {
  const { logger } = options;
  let failure: ConnectionError | undefined;
  let isStale = false;
  const { source, idle } = createSource({
    onError(error) {
      if (!failure) logger?.warn(`Definitions could not be fetched: ${error.message}`);
      failure = error;
      // Before the first definitions `open` tells it.
      if (!source.isReady || isStale) return;
      isStale = true;
      listeners.onStale(error.message);
    },
    onRecover() {
      logger?.info("Definitions are fresh again");
      failure = undefined;
      isStale = false;
      listeners.onReady("Definitions are fresh again");
    },
  });
  const tracking = toTrackingOptions(options.tracking);
  const queue = createEventQueue({ ...options, ...tracking, onDrop });
  return {
    engine: source.engine,
    get failure() {
      return failure;
    },
    state() {
      if (!source.isReady) return failure?.fatal ? "FATAL" : "NOT_READY";
      const freshness = source.freshness();
      return freshness === "STATIC" && failure ? "STALE" : freshness;
    },
    send: tracking && queue.push,
    open: () => source.open(),
    flushBeforeUnload: queue.flushBeforeUnload,
    async close() {
      source.close();
      failure = undefined;
      isStale = false;
      await Promise.all([queue.close(), idle?.()]);
    },
  };
}
