import type { EngineOptions, Outline } from "@assay/core";
import {
  ConnectionError,
  type ConnectionOptions,
  createConnection,
  type Outgoing,
  toConnectionError,
} from "./connection.ts";
import { checkOptions, DURATION, readOption } from "./option.ts";

/** An engine whose definitions can be replaced, as far as a loader looks at it. */
export interface Loadable<D> {
  readonly definitions: D;
  update(definitions: D): unknown;
}

/** What definitions, or something else that says what flags answer, are loaded with. */
export interface LoadingParts<D extends Outline, E extends Loadable<D> = Loadable<D>> {
  /** To begin with. */
  none: D;
  createEngine(definitions: D, options: EngineOptions): E;
  /** What to ask the server for; it may have announced a version of it. */
  ask(announced?: string): Outgoing;
  /** Reads the answer to that, as text or as the JSON it is. @throws where it is not one */
  parse(body: unknown): D;
  /** What `bootstrap` has to be, in words. @default "an answer of the server" */
  bootstrap?: string;
  /** The ETag of an answer begins with the version that the server announces. */
  isVersioned?: boolean;
}

/** Options of a loader. */
export interface LoaderOptions extends ConnectionOptions {
  /**
   * Milliseconds for which fetched definitions count as fresh; then they are served on while they are fetched anew.
   * @default 300000
   */
  cacheTtlMs?: number;
  /** For `parse` to read: to answer from, as expired, until the server has answered. */
  bootstrap?: unknown;
  /** Keeps the text of an answer, and its ETag. */
  stored?: { save(text: string, etag?: string): unknown };
  /** Milliseconds since the epoch. @default Date.now */
  now?: () => number;
}

/** Definitions from an earlier answer. */
export interface KnownDefinitions<D> {
  definitions: D;
  etag?: string | undefined;
}

/** Definitions behind an engine that answers from them. When they are fetched is for others to say. */
export interface Loader<D, E> {
  readonly engine: E;
  /** Whether there are definitions to answer from. */
  isReady: boolean;
  /** What the server is asked with whether they have changed. */
  etag: string | undefined;
  /** Milliseconds since the epoch until which they count as fresh. */
  expiresAt: number;
  /** Answers from these from now on. */
  take(known: KnownDefinitions<D>): void;
  /** Fetches once. @throws ConnectionError where that fails, and the signal's reason once it aborts */
  load(signal: AbortSignal, announced?: string): Promise<void>;
}

/**
 * Creates a loader; it asks nothing by itself.
 * @param onReplace hears of definitions that have just been replaced
 * @throws OptionError where an option is not of its kind
 */
export function createLoaderWith<D extends Outline, E extends Loadable<D>>(
  { none, createEngine, ask, parse, bootstrap: expected = "an answer of the server" }: LoadingParts<D, E>,
  options: LoaderOptions,
  connection = createConnection(options),
  onReplace?: (before: D) => void,
): Loader<D, E> {
  const { cacheTtlMs = 300_000, bootstrap, stored, now = Date.now } = options;
  checkOptions(options, { cacheTtlMs: DURATION });
  const isReady = bootstrap !== undefined;
  const known = isReady ? readOption("bootstrap", expected, () => parse(bootstrap)) : none;

  const loader: Loader<D, E> = {
    engine: createEngine(known, { now }),
    isReady,
    etag: undefined,
    expiresAt: 0,
    take({ definitions, etag }) {
      const before = loader.engine.definitions;
      loader.engine.update(definitions);
      onReplace?.(before);
      loader.etag = etag;
      loader.isReady = true;
    },
    async load(signal, announced) {
      try {
        const request = ask(announced);
        const { etag } = loader;
        if (etag) request.headers["if-none-match"] = etag;
        const answer = await connection.ask(request, signal);
        // It may have been closed between the last byte and here.
        signal.throwIfAborted();
        if (answer.status === 200) {
          // Only a body that is taken over may be spared the next time.
          const known = { definitions: parse(answer.text), etag: answer.headers.get("etag") ?? undefined };
          loader.expiresAt = now() + cacheTtlMs;
          loader.take(known);
          stored?.save(answer.text, known.etag);
        } else if (answer.status === 304 && etag) loader.expiresAt = now() + cacheTtlMs;
        else throw toConnectionError(answer);
      } catch (cause) {
        signal.throwIfAborted();
        if (cause instanceof ConnectionError) throw cause;
        throw new ConnectionError(`Invalid definitions: ${cause}`, { cause });
      }
    },
  };
  return loader;
}
