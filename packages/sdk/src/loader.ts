import type { EngineOptions, Outline } from "@assay/core";
import {
  ConnectionError,
  type ConnectionOptions,
  createConnection,
  type Outgoing,
  toConnectionError,
} from "./connection.ts";
import { checkOptions, DURATION, readOption } from "./option.ts";

/** An engine with replaceable definitions, as a loader uses it. */
export interface Loadable<D> {
  readonly definitions: D;
  update(definitions: D): unknown;
}

/** The parts that load definitions, or other data that determines answers. */
export interface LoadingParts<D extends Outline, E extends Loadable<D> = Loadable<D>> {
  /** The initial definitions. */
  none: D;
  createEngine(definitions: D, options: EngineOptions): E;
  /** The request for the server, which may have announced a version. */
  ask(announced?: string): Outgoing;
  /** Parses the answer, as text or as parsed JSON. @throws if it is invalid */
  parse(body: unknown): D;
  /** Describes a valid `bootstrap` in words. @default "an answer of the server" */
  bootstrap?: string;
  /** The ETag of an answer begins with the version that the server announces. */
  isVersioned?: boolean;
}

/** Options of a loader. */
export interface LoaderOptions extends ConnectionOptions {
  /**
   * Milliseconds for which fetched definitions count as fresh. Expired ones are served while they are fetched again.
   * @default 300000
   */
  cacheTtlMs?: number;
  /** Input of `parse`: answered from, as expired, until the server has answered. */
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

/** Definitions behind an engine that answers from them. The caller decides when to fetch. */
export interface Loader<D, E> {
  readonly engine: E;
  /** Whether there are definitions to answer from. */
  isReady: boolean;
  /** The ETag for the next conditional request. */
  etag: string | undefined;
  /** Milliseconds since the epoch until which they count as fresh. */
  expiresAt: number;
  /** Answers from these from now on. */
  take(known: KnownDefinitions<D>): void;
  /** Fetches once. @throws ConnectionError on failure, and the signal's reason once it aborts */
  load(signal: AbortSignal, announced?: string): Promise<void>;
}

/**
 * Creates a loader; it sends no request by itself.
 * @param onReplace is called after definitions have been replaced
 * @throws OptionError if an option is invalid
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
        // The signal may have aborted since the last byte.
        signal.throwIfAborted();
        if (answer.status === 200) {
          // Only a body that was accepted may be skipped next time.
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
