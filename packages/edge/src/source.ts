import {
  createProgramEngine,
  type EngineOptions,
  type HeldDefinitions,
  NO_PROGRAM,
  type Program,
  type ProgramEngine,
  parseProgram,
} from "@assay/core";
import { ConnectionError, type ConnectionOptions, createConnection } from "@assay/sdk";
import { createTimer, programParts, readOption, requireDuration, requireOption } from "@assay/sdk/internal";

/** The used part of a runtime's context; Cloudflare's `ctx` and h3's `event` fit. */
export interface EdgeContext {
  /** Keeps the runtime alive for work that outlives the response. */
  waitUntil?(work: Promise<unknown>): void;
}

/** The supply of programs. */
export interface EdgeSource<E extends HeldProgram = ProgramEngine> {
  /** Answers from the newest program. */
  readonly engine: E;
  /**
   * Whether there is a program. Waits for the first one, for a limited time; refreshes an expired one in the
   * background. Never rejects.
   */
  ready(context?: EdgeContext): Promise<boolean>;
}

/** An engine over a program, for any kind of answer. */
export type HeldProgram = HeldDefinitions<Program>;

export interface EdgeSourceOptions extends ConnectionOptions {
  /**
   * Milliseconds for which a fetched program counts as fresh. An expired one is served while it is fetched again.
   * @default 300000
   */
  cacheTtlMs?: number;
  /**
   * Milliseconds for which a request waits for the first program.
   * @default 1000
   */
  waitMs?: number;
  /** A program to answer from, as an expired one, until the server has answered. */
  bootstrap?: Program;
  /** Fetching failed; the current program stays in use. */
  onError?: (error: ConnectionError) => void;
  /** Milliseconds since the epoch. @default Date.now */
  now?: () => number;
}

/** Options of a handler: an existing source, a fixed program, or the connection to the server. */
export type ProgramOptions<E extends HeldProgram> =
  | { source: EdgeSource<E> }
  | { program: Program }
  | EdgeSourceOptions;

type CreateEngine<E> = (program: Program, options: EngineOptions) => E;

const LONGEST_PAUSE = 60_000;

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

function createSourceOver<E extends HeldProgram>(
  createEngine: CreateEngine<E>,
  options: EdgeSourceOptions,
): EdgeSource<E> {
  const { bootstrap, waitMs = 1_000, cacheTtlMs = 300_000, now = Date.now, onError } = options;
  requireDuration(waitMs, "waitMs");
  requireDuration(cacheTtlMs, "cacheTtlMs");
  const connection = createConnection(options);
  const engine = createEngine(bootstrap === undefined ? NO_PROGRAM : readProgram("bootstrap", bootstrap), { now });
  let isReady = bootstrap !== undefined;
  let etag: string | null = null;
  let expiresAt = 0;
  let startedAt = 0;
  let retryAt = 0;
  let failures = 0;
  let underWay: Promise<void> | undefined;

  /** Fetches once; failures go to `onError`. */
  async function refresh(): Promise<void> {
    startedAt = now();
    try {
      const { path, headers } = programParts.ask();
      const answer = await connection.ask({ path, headers: etag ? { ...headers, "if-none-match": etag } : headers });
      const { status, text } = answer;
      if (status === 200) {
        engine.update(parseProgram(text));
        // Only a body that was accepted may be skipped next time.
        etag = answer.headers.get("etag");
        isReady = true;
      } else if (status !== 304 || !isReady) {
        throw new ConnectionError(`The server answered ${status}: ${text.slice(0, 200)}`, answer);
      }
      expiresAt = now() + cacheTtlMs;
      failures = 0;
    } catch (cause) {
      const isKnown = cause instanceof ConnectionError;
      const error = isKnown ? cause : new ConnectionError(`Invalid program: ${cause}`, { cause });
      const pause = error.fatal ? LONGEST_PAUSE : Math.min(LONGEST_PAUSE, 1_000 * 2 ** failures++);
      retryAt = now() + Math.max(pause, (error.retryAfter ?? 0) * 1_000);
      onError?.(error);
    }
  }

  function done(): void {
    underWay = undefined;
  }

  return {
    engine,
    async ready(context) {
      if (now() < expiresAt) return true;
      if (now() >= retryAt) underWay ??= refresh().then(done, done);
      if (underWay) {
        context?.waitUntil?.(underWay);
        // Later requests wait only for the remaining time: a hanging server delays each user once.
        const left = startedAt + waitMs - now();
        if (!isReady && left > 0) await settle(underWay, left);
      }
      return isReady;
    },
  };
}

/**
 * The source that the options name or describe; a new one uses the given engine.
 * @throws OptionError if an option is invalid
 */
export function toSource<E extends HeldProgram>(
  createEngine: CreateEngine<E>,
  options: ProgramOptions<E>,
): EdgeSource<E> {
  if ("source" in options) {
    const { source } = options;
    requireOption(Object(source?.engine?.definitions).program_version, "source", "from createEdgeSource");
    return source;
  }
  if (!("program" in options)) return createSourceOver(createEngine, options);
  return { engine: createEngine(readProgram("program", options.program), {}), ready: async () => true };
}

/** @throws OptionError if it is something else, such as definitions */
function readProgram(option: string, program: unknown): Program {
  return readOption(option, programParts.bootstrap, () => parseProgram(program));
}

/** Waits for work, for a limited time. */
async function settle(work: Promise<void>, milliseconds: number): Promise<void> {
  const timer = createTimer();
  await Promise.race([work, new Promise<void>((resolve) => timer.set(milliseconds, resolve))]);
  timer.clear();
}
