import { usageFailure } from "../failure.ts";
import type { Flags } from "../flags.ts";
import { integer, readServeSettings, type ServeSettings } from "../serve/settings.ts";
import { requireUrl } from "../server-address.ts";

/** All settings of `assay relay`. */
export interface RelaySettings
  extends Pick<ServeSettings, "port" | "host" | "corsOrigins" | "drainSeconds" | "requestSeconds" | "maxConnections"> {
  upstream: string;
  apiKey: string;
  /** Undefined: CLIENT keys cannot evaluate flags. */
  clientKey: string | undefined;
  directory: string;
  /** Undefined for the relay's default. */
  maxBufferBytes: number | undefined;
}

const DIRECTORY = "./relay-data";
const MEGABYTE = 2 ** 20;

/**
 * Reads settings from flags and environment; flags win.
 * @throws {CommandFailure} naming the flag or variable that is missing or has an invalid value
 */
export function readRelaySettings(flags: Flags, environment: Record<string, string | undefined>): RelaySettings {
  const { port, host, corsOrigins, drainSeconds, requestSeconds, maxConnections } = readServeSettings(
    flags,
    environment,
  );
  const given = (flag: string, variable: string): [value: string | undefined, name: string] => {
    const value = flags.one(flag);
    return value === undefined ? [environment[variable] || undefined, variable] : [value, `--${flag}`];
  };
  const [upstream, name] = given("upstream", "ASSAY_UPSTREAM");
  const [apiKey] = given("api-key", "ASSAY_API_KEY");
  if (!upstream) throw usageFailure("--upstream (or ASSAY_UPSTREAM) is missing: the address of the server");
  if (!apiKey)
    throw usageFailure("--api-key (or ASSAY_API_KEY) is missing: a SERVER key with the scopes read and write");
  const megabytes = integer(...given("buffer-mb", "ASSAY_BUFFER_MB"), 1, 1_000_000);
  return {
    port,
    host,
    corsOrigins,
    drainSeconds,
    requestSeconds,
    maxConnections,
    upstream: requireUrl(upstream, name),
    apiKey,
    clientKey: given("client-key", "ASSAY_CLIENT_KEY")[0],
    directory: given("data", "ASSAY_DATA")[0] ?? DIRECTORY,
    maxBufferBytes: megabytes === undefined ? undefined : megabytes * MEGABYTE,
  };
}
