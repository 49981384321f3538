import { createUnexplainedEngine, fingerprint } from "@assay/core";
import { createCache } from "./cache.ts";
import { type ConnectionError, createConnection } from "./connection.ts";
import { definitionFormat, parseDefinitions } from "./definition-format.ts";
import { createDrop, QUEUE_OPTIONS, type TrackingEvent } from "./event-box.ts";
import { createEventQueue } from "./event-queue.ts";
import { checkOptions, readOption } from "./option.ts";
import { createPoller } from "./poller.ts";
import { createProviderCore, type Emit, type ProviderCore } from "./provider.ts";
import { type EmbeddedProviderOptions, type RemoteProviderOptions, toTrackingOptions } from "./provider-option.ts";
import type { ErrorCodes } from "./resolution.ts";
import { followChanges } from "./stream.ts";

/** The core of a provider for servers. */
export interface ServerProviderCore<Code> extends ProviderCore<Code> {
  /**
   * Fetches definitions; resolves once there are any.
   * @throws ConnectionError; `fatal` if the server rejected the key
   */
  open(): Promise<void>;
}

/**
 * Creates the core of a provider for servers, which evaluates flags in this process.
 *
 * @param codes the SDK's own error codes by their names: its `ErrorCode`
 * @throws OptionError if an option is missing or invalid
 */
export function createServerProviderCore<Code>(
  input: RemoteProviderOptions | EmbeddedProviderOptions,
  codes: ErrorCodes<Code>,
  emit: Emit<Code>,
): ServerProviderCore<Code> {
  const options: RemoteProviderOptions | EmbeddedProviderOptions = Object(input);
  return "engine" in options ? createEmbedded(options, codes, emit) : createRemote(options, codes, emit);
}

/** Creates a provider over HTTP, with an optional storage for the last good definitions. */
function createRemote<Code>(
  options: RemoteProviderOptions,
  codes: ErrorCodes<Code>,
  emit: Emit<Code>,
): ServerProviderCore<Code> {
  const { storage, logger, apiKey, baseUrl } = options;
  // Another key may see other flags, so it uses another item; the name does not reveal the key.
  const item = `assay:definitions:${fingerprint(`${baseUrl} ${apiKey}`, "storage")}`;
  const cache =
    storage &&
    createCache(
      storage,
      () => [item, ""],
      parseDefinitions,
      (error) => logger?.warn("The storage of definitions failed", error),
    );
  const connection = createConnection(options);
  const { source, ...core } = createProviderCore(
    ({ onChange, ...listeners }) => {
      const parts = { ...definitionFormat, createEngine: createUnexplainedEngine, followChanges };
      const poller = createPoller(parts, { ...options, cache }, listeners, connection);
      poller.engine.onChange(({ flags }) => onChange(flags));
      return poller;
    },
    createEventQueue({ ...options, ...toTrackingOptions(options.tracking) }, connection, "tracking."),
    options,
    codes,
    emit,
  );
  let isOpen = false;

  /** Restores the definitions from the storage, unless the server has responded meanwhile. */
  async function restore(error: ConnectionError): Promise<void> {
    const cached = error.fatal ? undefined : await cache?.load();
    if (source.isReady) return;
    if (!cached) throw error;
    if (isOpen) source.replace(cached);
  }

  return {
    ...core,
    open() {
      isOpen = true;
      return source.open().catch(restore);
    },
    async close() {
      isOpen = false;
      await Promise.all([core.close(), cache?.idle()]);
    },
  };
}

/** Creates a provider over an engine in this process. */
function createEmbedded<Code>(
  options: EmbeddedProviderOptions,
  codes: ErrorCodes<Code>,
  emit: Emit<Code>,
): ServerProviderCore<Code> {
  const { engine, track, logger } = options;
  const tracking = toTrackingOptions(options.tracking);
  if (tracking) checkOptions(tracking, QUEUE_OPTIONS, "tracking.");
  readOption("engine", "an engine of @assay/core", () => typeof engine.evaluate === "function");
  const inFlight = new Set<Promise<unknown>>();
  let unsubscribe: (() => void) | undefined;

  const queue = {
    push(event: TrackingEvent): boolean {
      const sent = (async () => track?.(event))()
        .catch((error) => queue.drop(1, error))
        .finally(() => inFlight.delete(sent));
      inFlight.add(sent);
      return true;
    },
    drop: createDrop({ logger, ...tracking }),
    async close() {
      await Promise.all(inFlight);
    },
  };

  const { source, ...core } = createProviderCore(
    ({ onChange }) => ({
      engine,
      isReady: true,
      failure: undefined,
      freshness: () => "CACHED" as const,
      open() {
        unsubscribe ??= engine.onChange(({ flags }) => onChange(flags));
      },
      close() {
        unsubscribe?.();
        unsubscribe = undefined;
      },
    }),
    queue,
    track ? options : { ...options, tracking: false },
    codes,
    emit,
  );
  return { ...core, open: async () => source.open() };
}
