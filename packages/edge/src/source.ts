import {
  createProgramEngine,
  type EngineOptions,
  type Program,
  type ProgramEngine,
  type ReplaceableDefinitions,
} from "@assay/core";
import { type ConnectionError, type ConnectionOptions, createConnection } from "@assay/sdk";
import {
  backOff,
  checkOptions,
  createTimer,
  DURATION,
  fetchFlags,
  programFormat,
  readOption,
} from "@assay/sdk/internal";

/** The part of a runtime's context that handlers use. Cloudflare's `ctx` and h3's `event` fit. */
export interface EdgeContext {
  /** Keeps the runtime alive for work that outlives the response. */
  waitUntil?(work: Promise<unknown>): void;
}

/** The source of the program that handlers evaluate. */
export interface EdgeSource<E extends AnyProgramEngine = ProgramEngine> {
  /** The engine over the newest program. */
  readonly engine: E;
  /**
   * Returns whether there is a program. Waits for the first one, for a limited time; refreshes an expired one in the
   * background. Never rejects.
   */
  ready(context?: EdgeContext): Promise<boolean>;
}

/** An engine over a program. */
export type AnyProgramEngine = ReplaceableDefinitions<Program>;

export interface EdgeSourceOptions extends ConnectionOptions {
  /**
   * Milliseconds for which a fetched program is fresh. An expired program is served while it is fetched again.
   * @default 300000
   */
  cacheTtlMs?: number;
  /**
   * Maximum time in milliseconds that a request waits for the first program.
   * @default 1000
   */
  waitMs?: number;
  /** A program to serve, as expired, until the server has responded. */
  bootstrap?: Program;
  /** Receives errors of fetching; the current program stays in use. */
  onError?: (error: ConnectionError) => void;
  /** Milliseconds since the epoch. @default Date.now */
  now?: () => number;
}

/** Options of a handler: an existing source, a fixed program, or the connection to the server. */
export type ProgramOptions<E extends AnyProgramEngine> =
  | { source: EdgeSource<E> }
  | { program: Program }
  | EdgeSourceOptions;

type CreateEngine<E> = (program: Program, options: EngineOptions) => E;

/**
 * Creates a source of programs, which handlers can share. It does nothing until the first request, because runtimes do
 * not allow fetching earlier. Requests drive the refreshing, because a runtime may drop timers between them; so there
 * is no `close`.
 * @example
 * const source = createEdgeSource({ apiKey: env.ASSAY_API_KEY, baseUrl: "https://flags.example.com" });
 * @throws OptionError if an option is invalid
 */
export function createEdgeSource(options: EdgeSourceOptions): EdgeSource {
  return createSourceOver(createProgramEngine, options);
}

function createSourceOver<E extends AnyProgramEngine>(
  createEngine: CreateEngine<E>,
  options: EdgeSourceOptions,
): EdgeSource<E> {
  const { bootstrap, waitMs = 1_000, cacheTtlMs = 300_000, now = Date.now, onError } = options;
  checkOptions(options, { waitMs: DURATION, cacheTtlMs: DURATION });
  const connection = createConnection(options);
  let isReady = bootstrap !== undefined;
  const engine = createEngine(isReady ? readProgram("bootstrap", bootstrap) : programFormat.empty, { now });
  let etag: string | null | undefined;
  let expiresAt = 0;
  let startedAt = 0;
  let retryAt = 0;
  let failures = 0;
  let inFlight: Promise<void> | undefined;

  /** Fetches once; failures go to `onError`. */
  async function refresh(): Promise<void> {
    startedAt = now();
    try {
      await fetchFlags(connection, programFormat, etag, (program, tag) => {
        engine.update(program);
        etag = tag;
        isReady = true;
      });
      expiresAt = now() + cacheTtlMs;
      failures = 0;
    } catch (thrown) {
      const error = thrown as ConnectionError;
      const { fatal, retryAfter = 0 } = error;
      retryAt = now() + Math.max(backOff(fatal ? Infinity : ++failures), retryAfter * 1_000);
      onError?.(error);
    } finally {
      inFlight = undefined;
    }
  }

  return {
    engine,
    async ready(context) {
      if (now() < expiresAt) return true;
      if (now() >= retryAt) inFlight ??= refresh().catch(() => {});
      if (inFlight) {
        context?.waitUntil?.(inFlight);
        // Later requests wait only for the remaining time: a hanging server delays each user once.
        const left = startedAt + waitMs - now();
        if (!isReady && left > 0) {
          const timer = createTimer();
          await new Promise<void>((resolve) => {
            timer.set(left, resolve);
            void inFlight?.then(resolve);
          });
          timer.clear();
        }
      }
      return isReady;
    },
  };
}

/**
 * Returns the source in the options, or creates one with the given engine.
 * @throws OptionError if an option is invalid
 */
export function toSource<E extends AnyProgramEngine>(
  createEngine: CreateEngine<E>,
  options: ProgramOptions<E>,
): EdgeSource<E> {
  if ("source" in options) {
    const { source } = options;
    readOption("source", "from createEdgeSource", () => source.engine.definitions.program_version);
    return source;
  }
  if ("program" in options) {
    return { engine: createEngine(readProgram("program", options.program), {}), ready: async () => true };
  }
  return createSourceOver(createEngine, options);
}

/** @throws OptionError if it is something else, such as definitions */
function readProgram(option: string, program: unknown): Program {
  return readOption(option, programFormat.bootstrap, () => programFormat.parse(program));
}
