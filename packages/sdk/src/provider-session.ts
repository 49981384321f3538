import { fingerprint } from "@assay/core";
import { createConnection } from "./connection.ts";
import { createDefinitionSource } from "./definition-source.ts";
import { createDefinitionStorage } from "./definition-storage.ts";
import { createDrop, createEventQueue, QUEUE_OPTIONS, type TrackingEvent } from "./event-queue.ts";
import { checkOptions, requireOption } from "./option.ts";
import { type EmbeddedProviderOptions, type RemoteProviderOptions, toTrackingOptions } from "./provider-option.ts";
import type { ErrorCodes } from "./resolution.ts";
import { createSession, type Session, type Supply, type Tell } from "./session.ts";

/** The session of a provider for servers. */
export interface ProviderSession<Code> extends Omit<Session<Code, Supply>, "source"> {
  /** Resolves once there are definitions. @throws ConnectionError; `fatal` if the key was rejected */
  open(): Promise<void>;
}

/**
 * Creates the session of a provider for servers.
 *
 * @param codes the SDK's own error codes by their names: its `ErrorCode`
 * @throws OptionError if an option is missing or invalid
 */
export function createProviderSession<Code>(
  given: RemoteProviderOptions | EmbeddedProviderOptions,
  codes: ErrorCodes<Code>,
  tell: Tell<Code>,
): ProviderSession<Code> {
  const options: RemoteProviderOptions | EmbeddedProviderOptions = Object(given);
  return "engine" in options ? createEmbeddedSession(options, codes, tell) : createRemoteSession(options, codes, tell);
}

/** The session of a provider over HTTP, which keeps its last good definitions in the optional storage. */
function createRemoteSession<Code>(
  options: RemoteProviderOptions,
  codes: ErrorCodes<Code>,
  tell: Tell<Code>,
): ProviderSession<Code> {
  const { storage, logger, apiKey, baseUrl } = options;
  // Another key may see other flags, so it uses another item; the name does not reveal the key.
  const item = `assay:definitions:${fingerprint(`${baseUrl} ${apiKey}`, "storage")}`;
  const stored =
    storage &&
    createDefinitionStorage(storage, item, (error) => logger?.warn("The storage of definitions failed", error));
  const connection = createConnection(options);
  const { source, close, ...session } = createSession(
    ({ onChange, ...listeners }) =>
      createDefinitionSource(
        { ...options, stored },
        { ...listeners, onChange: ({ flags }) => onChange(flags) },
        connection,
      ),
    createEventQueue({ ...options, ...toTrackingOptions(options.tracking) }, connection, "tracking."),
    options,
    codes,
    tell,
  );
  return {
    ...session,
    open: () => source.open(),
    async close() {
      await Promise.all([close(), stored?.idle()]);
    },
  };
}

/** The session of a provider in the process of its server. */
function createEmbeddedSession<Code>(
  options: EmbeddedProviderOptions,
  codes: ErrorCodes<Code>,
  tell: Tell<Code>,
): ProviderSession<Code> {
  const { engine, track, logger } = options;
  const tracking = toTrackingOptions(options.tracking);
  if (tracking) checkOptions(tracking, QUEUE_OPTIONS, "tracking.");
  requireOption(typeof engine?.evaluate === "function", "engine", "an engine of @assay/core");
  const underWay = new Set<Promise<unknown>>();
  let unsubscribe: (() => void) | undefined;

  const queue = {
    push(event: TrackingEvent): boolean {
      const sent = (async () => track?.(event))()
        .catch((error) => queue.drop(1, error))
        .finally(() => underWay.delete(sent));
      underWay.add(sent);
      return true;
    },
    drop: createDrop({ logger, ...tracking }),
    async close() {
      await Promise.all(underWay);
    },
  };

  const { source, ...session } = createSession(
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
    tell,
  );
  return { ...session, open: async () => source.open() };
}
