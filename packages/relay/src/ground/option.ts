import { COUNT, checkOptions, DURATION, FUNCTION, type Kind, TEXT } from "@assay/sdk/internal";

/** Receives warnings of the relay. They contain no secrets. `console` fits. */
export interface RelayLogger {
  warn(message: string): void;
}

export interface RelayOptions {
  /** Address of the server, with or without `/api/v1`. It may be another relay. */
  upstream: string;
  /** A SERVER key of the upstream with the scopes `read` and `write`. */
  apiKey: string;
  /**
   * A CLIENT key of the upstream with the scope `read` and without `allowed_origins`. The relay fetches with it what
   * CLIENT keys may see. Without it, the relay evaluates no flags for CLIENT keys.
   */
  clientKey?: string;
  /** Directory of the last definitions, the known keys and the events. One relay at a time may use it. */
  directory: string;
  /**
   * Maximum size in bytes of the events on disk. A relay that has no room answers 503.
   * @default 1073741824
   */
  maxBufferBytes?: number;
  /**
   * Milliseconds after which the relay asks the upstream again whether a key is valid, and so the time that a revoked
   * key keeps working.
   * @default 30000
   */
  keyTtlMs?: number;
  /**
   * Milliseconds for which a key that the upstream has accepted keeps working while the upstream does not respond.
   * @default 604800000
   */
  outageMs?: number;
  /**
   * Milliseconds after which the relay fetches the definitions again, besides following the upstream's stream.
   * @default 10000
   */
  pollMs?: number;
  /** Maximum number of open streams. @default 10000 */
  maxStreams?: number;
  /** Pages of other origins that may call the relay, such as `https://shop.example`; `*` allows every origin. */
  cors?: { origins: string[] };
  /** Timeout of a request to the upstream in milliseconds. @default 5000 */
  timeout?: number;
  /** @default console */
  logger?: RelayLogger;
  /** Replaces the global `fetch` for requests to the upstream. */
  fetch?: (request: Request) => Response | Promise<Response>;
  /** Milliseconds since the epoch. @default Date.now */
  now?: () => number;
}

/** The options with their defaults. */
export type Settings = RelayOptions & Required<Omit<RelayOptions, "clientKey" | "cors" | "fetch">>;

const PATH: Kind = ["a path", (value) => typeof value === "string" && value !== ""];

/** @throws OptionError if an option is missing or invalid */
export function readSettings(options: RelayOptions): Settings {
  const given: RelayOptions = Object(options);
  const settings: Settings = {
    maxBufferBytes: 2 ** 30,
    keyTtlMs: 30_000,
    outageMs: 7 * 24 * 3_600_000,
    pollMs: 10_000,
    maxStreams: 10_000,
    timeout: 5_000,
    logger: console,
    now: Date.now,
    ...(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as typeof given),
  };
  // An absent option must not pass as an optional one.
  checkOptions(
    { ...settings, upstream: settings.upstream ?? null, directory: settings.directory ?? null },
    {
      upstream: TEXT,
      directory: PATH,
      clientKey: TEXT,
      maxBufferBytes: COUNT,
      keyTtlMs: DURATION,
      outageMs: DURATION,
      pollMs: COUNT,
      maxStreams: COUNT,
      now: FUNCTION,
    },
  );
  return settings;
}
