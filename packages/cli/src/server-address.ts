import type { ArgsDef } from "citty";
import { findProfile } from "./configuration.ts";
import { usageFailure } from "./failure.ts";
import type { Flags } from "./flags.ts";

type Environment = Record<string, string | undefined>;

export const DEFAULT_URL = "http://127.0.0.1:4400";

/** The options that select a command's server. */
export const SERVER_ARGS: ArgsDef = {
  url: { type: "string", description: `Server (ASSAY_URL, default ${DEFAULT_URL})` },
  profile: { type: "string", description: "Profile of the configuration (ASSAY_PROFILE, default the current one)" },
};

/** A server, and the credentials that are known for it. */
export interface ServerAddress {
  url: string;
  apiKey?: string | undefined;
  username?: string | undefined;
  password?: string | undefined;
  /** Undefined for the one of the API key, or else the default one of the server. */
  environment?: string | undefined;
}

/** Returns the same arguments with the API key. `kind` describes the required key. */
export function serverArgs(kind: string): ArgsDef {
  return { ...SERVER_ARGS, "api-key": { type: "string", valueHint: "key", description: `A ${kind} (ASSAY_API_KEY)` } };
}

/**
 * Reads where the server is: from the options, the environment, or a profile. The credentials of a profile go only to the
 * server of that profile.
 * @throws {CommandFailure} for an address that is none, and an unknown profile
 */
export async function readServer(flags: Flags, environment: Environment): Promise<ServerAddress> {
  const named = flags.one("profile");
  if (named !== undefined && flags.one("url") !== undefined) throw usageFailure("Specify --url or --profile, not both");
  const given = named === undefined ? (flags.one("url") ?? (environment.ASSAY_URL || undefined)) : undefined;
  const profile =
    given === undefined ? await findProfile(named ?? (environment.ASSAY_PROFILE || undefined), environment) : undefined;
  return {
    url: requireUrl(given ?? profile?.url ?? DEFAULT_URL, flags.one("url") === undefined ? "The address" : "--url"),
    apiKey: flags.one("api-key") || environment.ASSAY_API_KEY || profile?.api_key,
    username: flags.one("username") || environment.ASSAY_USERNAME || profile?.username,
    password: environment.ASSAY_PASSWORD || undefined,
    environment: flags.one("environment") || environment.ASSAY_ENVIRONMENT || profile?.environment,
  };
}

/** The same for a command that needs an API key. @throws {CommandFailure} also naming the kind of key that is missing */
export async function readServerWithKey(
  flags: Flags,
  environment: Environment,
  kind: string,
): Promise<ServerAddress & { apiKey: string }> {
  const server = await readServer(flags, environment);
  if (server.apiKey) return { ...server, apiKey: server.apiKey };
  throw usageFailure(`--api-key (or ASSAY_API_KEY) is missing: a ${kind}`);
}

/** @throws {CommandFailure} unless it is an http(s) address */
export function requireUrl(text: string, name: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw usageFailure(`${name} must be an http(s) address, not "${text}"`);
}
