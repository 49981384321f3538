import { diffRevisions, type EvaluationContext } from "@assay/core";
import { createConnection, type ErrorCodes, type ProviderCore } from "@assay/sdk";
import {
  createCache,
  createPoller,
  createProviderCore,
  type Emit,
  type Poller,
  toTrackingOptions,
} from "@assay/sdk/internal";
import { browserStorage } from "./browser-storage.ts";
import type { AssayWebProviderOptions } from "./option.ts";
import { watchPage } from "./page.ts";
import type { PageEngine, PageFormat, RevisedOutline } from "./page-format.ts";
import { createPageQueue } from "./page-queue.ts";
import { loadStreaming } from "./streaming.ts";

/** The core of a provider in a page. */
export interface WebProviderCore<Code> extends ProviderCore<Code> {
  /**
   * Fetches flags; resolves once there are any.
   * @throws ConnectionError; `fatal` if the server rejected the key
   */
  open(context: EvaluationContext, domain?: string): Promise<void>;
  /**
   * Changes the context; undefined if there is nothing to wait for.
   * @throws ConnectionError
   */
  changeContext(context: EvaluationContext): Promise<void> | undefined;
}

/** A core, with what remote evaluation needs of it. */
export interface PageCore<Code> extends WebProviderCore<Code> {
  source: Poller<RevisedOutline, PageEngine<RevisedOutline>>;
  /** Opens the source with the stored response, unless it was to be opened anew or closed meanwhile. */
  restore(open: Poller<RevisedOutline, unknown>["open"]): Promise<void>;
  changeContext(): undefined;
}

/**
 * Creates the core of a provider in a page, whose flags are the same for all contexts.
 *
 * @param evaluation names the stored response
 * @param toUnit returns what the stored response is for
 * @throws OptionError if an option is missing or invalid
 */
export function createPageCore<Code>(
  options: AssayWebProviderOptions,
  codes: ErrorCodes<Code>,
  emit: Emit<Code>,
  format: PageFormat,
  evaluation = "local",
  toUnit = () => "",
): PageCore<Code> {
  const { logger } = options;
  const storage = (options.storage ?? browserStorage()) || undefined;
  let domain = "";
  const cache =
    storage &&
    createCache(
      storage,
      () => [["assay", evaluation, options.baseUrl, domain].join(" "), toUnit()],
      format.parse,
      (error) => logger?.warn("The storage failed", error),
    );
  const connection = createConnection(options);
  const queue = createPageQueue({ ...options, ...toTrackingOptions(options.tracking) }, connection);
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
  let unwatch: (() => void) | undefined;
  let opening: object | undefined;

  const restore: PageCore<Code>["restore"] = async (open) => {
    const mine = {};
    opening = mine;
    const stored = await cache?.load();
    if (opening === mine) await open(stored);
  };

  return {
    ...core,
    source,
    restore,
    open(_, name = "") {
      domain = name;
      unwatch ??= watchPage(source.revalidate, queue.flushBeforeUnload);
      return restore(source.open);
    },
    changeContext() {
      // Emits the failure again, because the SDK considers the provider ready after every change of context.
      setTimeout(() => {
        if (source.failure) report(source.failure);
      });
      return undefined;
    },
    close() {
      unwatch?.();
      unwatch = opening = undefined;
      queue.flushBeforeUnload();
      return close();
    },
  };
}
