import { diffRevisions, type EvaluationContext, type Outline, type Revised } from "@assay/core";
import { createConnection, createEventQueue, type ErrorCodes, type Session } from "@assay/sdk";
import {
  checkOptions,
  createSession,
  createSourceWith,
  type Loadable,
  type LoadingParts,
  oneOf,
  type ProviderEngine,
  type Supply,
  type Tell,
  toTrackingOptions,
} from "@assay/sdk/internal";
import { remoteParts } from "./answers.ts";
import type { AssayWebProviderOptions } from "./option.ts";
import { watchPage } from "./page.ts";
import { browserStorage, createPersistence } from "./persistence.ts";
import { loadStreaming } from "./streaming.ts";

/** A provider's session in a page. */
export interface WebSession<Code> extends Omit<Session<Code, Supply>, "source"> {
  /** Resolves once there is something to answer from. @throws ConnectionError; `fatal` if the key was rejected */
  open(context: EvaluationContext, domain: string | undefined): Promise<void>;
  /** Answers for another context from now on; undefined if there is nothing to wait for. @throws ConnectionError */
  changeContext(context: EvaluationContext): Promise<void> | undefined;
}

/** The page's program or answers: a flag's revision changes when its answers may change. */
export interface RevisedOutline extends Outline {
  flags: (Outline["flags"][number] & Revised)[];
}

/** An engine whose definitions the fetcher replaces. */
export type PageEngine<D extends RevisedOutline> = ProviderEngine & Loadable<D>;

/** The evaluator of a page, and the way it loads its definitions. */
export type EvaluationParts<D extends RevisedOutline = RevisedOutline> = LoadingParts<D, PageEngine<D>>;

/**
 * Creates the session of a provider in a page.
 *
 * @param localParts the evaluator in the page; without it the server always evaluates
 * @throws OptionError if an option is missing or invalid
 */
export function createWebSession<Code>(
  options: AssayWebProviderOptions,
  codes: ErrorCodes<Code>,
  tell: Tell<Code>,
  localParts?: EvaluationParts,
): WebSession<Code> {
  checkOptions(options, { evaluation: oneOf("local", "remote") });
  const { logger, storage = browserStorage() } = options;
  const local = options.evaluation === "remote" ? undefined : localParts;
  let context: EvaluationContext = {};
  let domain = "";
  const parts: EvaluationParts = local ?? remoteParts(() => context);
  const stored = storage
    ? createPersistence(
        storage,
        () => [
          ["assay", local ? "local" : "remote", options.baseUrl, domain].join(" "),
          local ? "" : JSON.stringify(Object.entries(context).sort()),
        ],
        parts.parse,
        (error) => logger?.warn("The storage failed", error),
      )
    : undefined;
  const connection = createConnection(options);
  const queue = createEventQueue({ ...options, ...toTrackingOptions(options.tracking) }, connection, "tracking.");
  const { source, close, ...session } = createSession(
    ({ onChange, ...listeners }) =>
      createSourceWith(
        { ...parts, followChanges: loadStreaming(logger) },
        { ...options, stored },
        { ...listeners, onReplace: (before) => onChange(diffRevisions(before.flags, source.engine.definitions.flags)) },
        connection,
      ),
    queue,
    { ...options, storage: storage || undefined },
    codes,
    tell,
  );

  // The SDK considers a provider ready when any of its promises resolves, so all resolve with the newest.
  let newest: Promise<void>;
  function keepWithNewest(work: Promise<void>): Promise<void> {
    const done = () => (work === newest ? work : keepWithNewest(newest));
    return work.then(done, done);
  }

  async function ask(open: typeof source.open): Promise<void> {
    const asked = context;
    const known = await stored?.load();
    // While the storage was read, the context has changed, or the session has closed.
    if (context === asked) await open(known);
  }

  function start(open: typeof source.open): Promise<void> {
    newest = ask(open);
    return keepWithNewest(newest);
  }

  /** After every change of context the SDK considers the provider ready; other states must be emitted again. */
  function repeatFailure(): void {
    setTimeout(() => {
      const { failure, isReady } = source;
      if (!failure) return;
      const { message, fatal } = failure;
      if (isReady) tell("Stale", { message });
      else tell("Error", { message, errorCode: fatal ? codes.PROVIDER_FATAL : codes.GENERAL });
    });
  }

  let unwatch: (() => void) | undefined;

  return {
    ...session,
    open(first, name = "") {
      context = first;
      domain = name;
      unwatch ??= watchPage({ onShow: source.revalidate, onHide: queue.flushBeforeUnload });
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
