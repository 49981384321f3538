import { fingerprint } from "../bucketing/bucket.ts";
import { createDefinitionSource } from "../definitions/definition-source.ts";
import { createDefinitionStorage } from "../definitions/definition-storage.ts";
import { QUEUE_OPTIONS, type TrackingEvent } from "../definitions/event-queue.ts";
import { checkOptions, requireOption } from "../definitions/option.ts";
import {
  checkProviderOptions,
  type EmbeddedProviderOptions,
  type RemoteProviderOptions,
  toTrackingOptions,
} from "./option.ts";
import { createRemoteSession, type Tell } from "./remote-session.ts";
import type { ErrorCodes } from "./resolution.ts";
import { createSession, type Session } from "./session.ts";

/** Everything a provider for servers does that is not the SDK's: evaluate, record, track, begin and end. */
export interface ProviderSession<Code> extends Session<Code> {
  /** Resolves once there is something to answer from. @throws ConnectionError; `fatal` where the key was rejected */
  open(): Promise<void>;
  /** Sends what was tracked, finishes writing, stops fetching. May be opened again after that. */
  close(): Promise<void>;
}

/**
 * Creates what the provider for servers is made of.
 *
 * @param codes the SDK's own error codes by their names: its `ErrorCode`
 * @throws OptionError where an option is missing or not of its kind.
 */
export function createProviderSession<Code>(
  given: RemoteProviderOptions | EmbeddedProviderOptions,
  codes: ErrorCodes<Code>,
  tell: Tell<Code>,
): ProviderSession<Code> {
  const options: RemoteProviderOptions | EmbeddedProviderOptions = Object(given);
  return "engine" in options ? createEmbeddedSession(options, codes, tell) : createStoredSession(options, codes, tell);
}

/** The session of a provider over HTTP, whose last good definitions are kept where the options say. */
function createStoredSession<Code>(
  options: RemoteProviderOptions,
  codes: ErrorCodes<Code>,
  tell: Tell<Code>,
): ProviderSession<Code> {
  const { storage, logger, apiKey, baseUrl } = options;
  // Another key may see other flags, so it keeps them elsewhere; the name tells nothing of the key.
  const item = `assay:definitions:${fingerprint(`${baseUrl} ${apiKey}`, "storage")}`;
  const stored =
    storage &&
    createDefinitionStorage(storage, item, (error) => logger?.warn("The storage of definitions failed", error));
  const { source, close, ...session } = createRemoteSession(
    ({ onChange, ...listeners }, connection) =>
      createDefinitionSource(
        { ...options, stored },
        { ...listeners, onChange: ({ flags }) => onChange(flags) },
        connection,
      ),
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
  checkProviderOptions(options);
  const { engine, track, logger } = options;
  const tracking = toTrackingOptions(options.tracking);
  if (tracking) checkOptions(tracking, QUEUE_OPTIONS, "tracking.");
  requireOption(typeof engine?.evaluate === "function", "engine", "an engine of @assay/core");
  const underWay = new Set<Promise<unknown>>();
  let unsubscribe: (() => void) | undefined;

  function drop(count: number, reason: unknown): void {
    const error = reason instanceof Error ? reason : new Error(String(reason));
    logger?.warn(`${count} events were lost: ${error.message}`);
    tracking?.onDrop?.(count, error);
  }

  function send(event: TrackingEvent): boolean {
    const sent = (async () => track?.(event))()
      .catch((error) => drop(1, error))
      .finally(() => underWay.delete(sent));
    underWay.add(sent);
    return true;
  }

  const supply = { engine, state: () => "CACHED" as const, send: track && tracking && send, drop };
  return {
    ...createSession(supply, options, codes),
    async open() {
      unsubscribe ??= engine.onChange(({ flags: flagsChanged }) => {
        if (flagsChanged.length > 0) tell("ConfigurationChanged", { flagsChanged });
      });
    },
    async close() {
      unsubscribe?.();
      unsubscribe = undefined;
      await Promise.all(underWay);
    },
  };
}
