import { createEngine, type Engine, type HeldDefinitions } from "@assay/core";
import {
  type ConnectionError,
  createLoader,
  type DefinitionSourceOptions,
  type LoaderParts,
  requireDuration,
  requireOption,
} from "@assay/core/definitions";

/** The part of a runtime's context that is used; Cloudflare's `ctx` and h3's `event` are ones. */
export interface EdgeContext {
  /** Keeps the runtime from stopping work that outlives the response. */
  waitUntil?(work: Promise<unknown>): void;
}

/** Where definitions come from. */
export interface EdgeSource<E extends HeldDefinitions = Engine> {
  /** Answers from the newest definitions there are. */
  readonly engine: E;
  /**
   * Whether there are definitions. Waits for the first ones, for a while; refreshes expired ones in the background.
   * Absent where the engine is kept up to date by someone else. Never rejects.
   */
  ready?(context?: EdgeContext): Promise<boolean>;
}

export interface EdgeSourceOptions extends Omit<DefinitionSourceOptions, "streaming" | "stored"> {
  /**
   * Milliseconds that a request waits for the first definitions.
   * @default 1000
   */
  waitMs?: number;
  /** Fetching failed; what was served before is served on. */
  onError?: (error: ConnectionError) => void;
}

/** Options of a handler: a source or an engine that is there already, else how to reach the server. */
export type DefinitionOptions<E extends HeldDefinitions = Engine> =
  | { source: EdgeSource<E> }
  | { engine: E }
  | EdgeSourceOptions;

const LONGEST_PAUSE = 60_000;

/**
 * Creates a source of definitions, to be shared by handlers. It does nothing until the first request: runtimes allow
 * no fetch before. Refreshing is driven by requests, because a runtime may drop timers between them.
 * @example
 * const source = createEdgeSource({ apiKey: env.ASSAY_API_KEY, baseUrl: "https://flags.example.com" });
 * @throws OptionError where an option is not of its kind.
 */
export function createEdgeSource(options: EdgeSourceOptions): EdgeSource & { close(): void } {
  return createSourceOver(createEngine, options);
}

function createSourceOver<E extends HeldDefinitions>(
  createEngine: LoaderParts<E>["createEngine"],
  options: EdgeSourceOptions,
): EdgeSource<E> & { close(): void } {
  const { waitMs = 1_000, now = Date.now } = options;
  requireDuration(waitMs, "waitMs");
  const loader = createLoader({ createEngine }, options);
  let closing = new AbortController();
  let failures = 0;
  let startedAt = 0;
  let retryAt = 0;
  let underWay: Promise<void> | undefined;

  /** Fetches once; a failure is told to `onError`. */
  async function refresh({ signal }: AbortController): Promise<void> {
    startedAt = now();
    try {
      await loader.load(signal);
      failures = 0;
    } catch (cause) {
      if (signal.aborted) return;
      const error = cause as ConnectionError;
      const pause = error.fatal ? LONGEST_PAUSE : Math.min(LONGEST_PAUSE, 1_000 * 2 ** failures++);
      retryAt = now() + Math.max(pause, (error.retryAfter ?? 0) * 1_000);
      options.onError?.(error);
    }
  }

  function done(): void {
    underWay = undefined;
  }

  return {
    engine: loader.engine,
    async ready(context) {
      if (now() < loader.expiresAt) return true;
      if (now() >= retryAt) {
        underWay ??= refresh(closing).then(done, done);
      }
      if (underWay === undefined) return loader.isReady;
      context?.waitUntil?.(underWay);
      // Requests that come later wait only for what is left: a server that hangs delays nobody twice.
      if (!loader.isReady) await settle(underWay, startedAt + waitMs - now());
      return loader.isReady;
    },
    close() {
      closing.abort();
      closing = new AbortController();
    },
  };
}

/**
 * The source that options name or describe; one that has to be made is over the engine given.
 * @throws OptionError where an option is not of its kind.
 */
export function toSource<E extends HeldDefinitions>(
  createEngine: LoaderParts<E>["createEngine"],
  options: DefinitionOptions<E>,
): EdgeSource<E> {
  if ("source" in options) return requireEngine("source", options.source);
  if (!("engine" in options)) return createSourceOver(createEngine, options);
  return { engine: requireEngine("engine", options).engine };
}

function requireEngine<T extends { engine: HeldDefinitions }>(option: string, source: T): T {
  requireOption(Object(source?.engine).definitions, option, "one that has definitions");
  return source;
}

async function settle(work: Promise<void>, milliseconds: number): Promise<void> {
  if (milliseconds <= 0) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const delay = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.min(milliseconds, 2 ** 31 - 1));
  });
  await Promise.race([work, delay]);
  clearTimeout(timer);
}
