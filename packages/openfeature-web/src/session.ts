import type { Definitions, EvaluationContext } from "@assay/core";
import {
  type ConnectionError,
  createSourceWith,
  type DefinitionSource,
  type SourceParts,
} from "@assay/core/definitions";
import {
  createRemoteSupply,
  createSessionOver,
  type ErrorCodes,
  type ProviderEngine,
  type ProviderListeners,
  type ProviderSession,
  type RemoteSupply,
} from "@assay/core/provider";
import { remoteParts, withoutStreams } from "./answers.ts";
import { type AssayWebProviderOptions, checkOptions } from "./option.ts";
import { watchPage } from "./page.ts";
import { browserStorage, createPersistence } from "./persistence.ts";
import { loadStreaming } from "./streaming.ts";

/** A provider's session in a page. */
export interface WebSession<Code> extends Omit<ProviderSession<Code>, "open"> {
  /** Resolves once there is something to answer from. @throws ConnectionError; `fatal` where the key was rejected */
  open(context: EvaluationContext, domain: string | undefined): Promise<void>;
  /** Answers for another context from now on; undefined where nothing is to be waited for. @throws ConnectionError */
  changeContext(context: EvaluationContext): Promise<void> | undefined;
  /** Why there are no fresh answers; undefined where there are. */
  readonly failure: ConnectionError | undefined;
  /** Whether there is something to answer from. */
  readonly isReady: boolean;
}

/** What a source is made of whose answers can be read from a bootstrap and a storage too. */
export interface EvaluationParts extends SourceParts<ProviderEngine> {
  parse(body: unknown): Definitions;
}

/**
 * Creates the session of a provider in a page.
 *
 * @param localParts what evaluates in the page; without it the server always does
 * @throws OptionError where an option is missing or not of its kind.
 */
export function createWebSession<Code>(
  given: AssayWebProviderOptions,
  codes: ErrorCodes<Code>,
  listeners: ProviderListeners,
  localParts?: EvaluationParts,
): WebSession<Code> {
  const options: AssayWebProviderOptions = Object(given);
  checkOptions(options);
  const { logger, storage = browserStorage() } = options;
  const local = options.evaluation === "remote" ? undefined : localParts;
  let context: EvaluationContext = {};
  let domain = "";
  const parts = local ?? remoteParts(() => context);
  const persistence = storage
    ? createPersistence(
        storage,
        () => ["assay", local ? "local" : "remote", options.baseUrl, domain].join(" "),
        () => (local ? "" : JSON.stringify(Object.entries(context).sort())),
        parts.parse,
        (error) => logger?.warn("The storage failed", error),
      )
    : undefined;
  const stored = persistence && {
    save: (text: string, etag?: string) => persistence.save(local ? text : withoutStreams(text), etag),
  };

  let source!: DefinitionSource<ProviderEngine>;
  let supply!: RemoteSupply;
  const session = createSessionOver(
    (dropped, told) => {
      supply = createRemoteSupply(
        (heard) => {
          source = createSourceWith<ProviderEngine>(
            { ...parts, followChanges: loadStreaming(logger) },
            { ...options, stored },
            heard,
          );
          return { source };
        },
        options,
        dropped,
        told,
      );
      return { ...supply, open: async () => source.open(await persistence?.load()) };
    },
    { ...options, storage: storage || undefined },
    codes,
    listeners,
  );

  // The SDK takes a provider for ready as soon as any of its promises is kept, so all are kept with the newest.
  let newest: Promise<void> | undefined;
  async function keepWithNewest(work: Promise<void>): Promise<void> {
    newest = work;
    for (let awaited: Promise<void> | undefined; awaited !== newest; ) {
      awaited = newest;
      try {
        await awaited;
      } catch (error) {
        if (awaited === newest) throw error;
      }
    }
  }

  let unwatch: (() => void) | undefined;

  return {
    ...session,
    get exposes() {
      return session.exposes;
    },
    get failure() {
      return supply.failure;
    },
    get isReady() {
      return source.isReady;
    },
    open(first, name = "") {
      context = first;
      domain = name;
      unwatch ??= watchPage({ onShow: source.revalidate, onHide: supply.flushBeforeUnload });
      return keepWithNewest(session.open());
    },
    changeContext(next) {
      context = next;
      if (local) return undefined;
      return keepWithNewest(
        (async () => {
          const known = await persistence?.load();
          // Another context has come while the storage was asked.
          if (context !== next) return;
          const fetching = source.restart(known);
          if (known) fetching.catch(() => {});
          else await fetching;
        })(),
      );
    },
    async close() {
      unwatch?.();
      unwatch = undefined;
      supply.flushBeforeUnload();
      await session.close();
    },
  };
}
