import { diffRevisions, type EvaluationContext } from "@assay/core";
import { createConnection, createEventQueue, type ErrorCodes, type ProviderCore } from "@assay/sdk";
import {
  checkOptions,
  createCache,
  createPoller,
  createProviderCore,
  type Emit,
  oneOf,
  toTrackingOptions,
} from "@assay/sdk/internal";
import { createAnswerFormat, type PageFormat } from "./answer-format.ts";
import { browserStorage, hash } from "./browser-storage.ts";
import type { AssayWebProviderOptions } from "./option.ts";
import { watchPage } from "./page.ts";
import { loadStreaming } from "./streaming.ts";

/** The core of a provider in a page. */
export interface WebProviderCore<Code> extends ProviderCore<Code> {
  /**
   * Fetches flags; resolves once there are any.
   * @throws ConnectionError; `fatal` if the server rejected the key
   */
  open(context: EvaluationContext, domain: string | undefined): Promise<void>;
  /**
   * Changes the context; undefined if there is nothing to wait for.
   * @throws ConnectionError
   */
  changeContext(context: EvaluationContext): Promise<void> | undefined;
}

/**
 * Creates the core of a provider in a page.
 *
 * @param localFormat the format and the evaluator of the page; without it the server always evaluates
 * @throws OptionError if an option is missing or invalid
 */
export function createWebProviderCore<Code>(
  options: AssayWebProviderOptions,
  codes: ErrorCodes<Code>,
  emit: Emit<Code>,
  localFormat?: PageFormat,
): WebProviderCore<Code> {
  checkOptions(options, { evaluation: oneOf("local", "remote") });
  const { logger } = options;
  const storage = (options.storage ?? browserStorage()) || undefined;
  const local = options.evaluation === "remote" ? undefined : localFormat;
  let context: EvaluationContext = {};
  let domain = "";
  const format: PageFormat = local ?? createAnswerFormat(() => context);
  const cache =
    storage &&
    createCache(
      storage,
      () => [
        ["assay", local ? "local" : "remote", options.baseUrl, domain].join(" "),
        // Only the hash of a context is stored.
        hash(local ? "" : JSON.stringify(Object.entries(context).sort())),
      ],
      format.parse,
      (error) => logger?.warn("The storage failed", error),
    );
  const connection = createConnection(options);
  const queue = createEventQueue({ ...options, ...toTrackingOptions(options.tracking) }, connection, "tracking.");
  const { source, close, report, ...core } = createProviderCore(
    ({ onChange, ...listeners }) =>
      createPoller(
        { ...format, followChanges: loadStreaming(logger) },
        { ...options, cache },
        { ...listeners, onReplace: (before) => onChange(diffRevisions(before.flags, source.engine.definitions.flags)) },
        connection,
      ),
    queue,
    { ...options, storage },
    codes,
    emit,
  );

  // The SDK considers a provider ready when any of its promises resolves, so all resolve with the newest.
  let newest: Promise<void>;

  async function openFromCache(open: typeof source.open): Promise<void> {
    const requested = context;
    const cached = await cache?.load();
    // While the storage was read, the context has changed, or the provider was closed.
    if (context === requested) await open(cached);
  }

  async function start(open: typeof source.open): Promise<void> {
    newest = openFromCache(open);
    for (let work: typeof newest | undefined; work !== newest; await work.catch(() => {})) work = newest;
    await newest;
  }

  /** Emits the failure again, because the SDK considers the provider ready after every change of context. */
  function repeatFailure(): void {
    setTimeout(() => {
      if (source.failure) report(source.failure);
    });
  }

  let unwatch: (() => void) | undefined;

  return {
    ...core,
    open(first, name = "") {
      context = first;
      domain = name;
      unwatch ??= watchPage(source.revalidate, queue.flushBeforeUnload);
      return start(source.open);
    },
    changeContext(next) {
      context = next;
      if (local) repeatFailure();
      else return start(source.restart).finally(repeatFailure);
    },
    async close() {
      unwatch?.();
      unwatch = undefined;
      context = {};
      queue.flushBeforeUnload();
      await close();
    },
  };
}
