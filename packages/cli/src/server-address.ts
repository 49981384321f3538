import type { ArgsDef } from "citty";
import { usageFailure } from "./failure.ts";
import type { Flags } from "./flags.ts";

const DEFAULT_URL = "http://127.0.0.1:4400";

/** The option that selects a command's server. */
export const URL_ARG: ArgsDef = { url: { type: "string", description: `Server (default ${DEFAULT_URL})` } };

/** Returns the same arguments with the API key. `kind` describes the required key. */
export function serverArgs(kind: string): ArgsDef {
  return { ...URL_ARG, "api-key": { type: "string", valueHint: "key", description: `A ${kind} (ASSAY_API_KEY)` } };
}

/** @throws {CommandFailure} unless it is an http(s) address */
export function readUrl(flags: Flags): string {
  const text = flags.one("url") ?? DEFAULT_URL;
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw usageFailure(`--url must be an http(s) address, not "${text}"`);
}

/** @throws {CommandFailure} naming the kind of key that is missing */
export function readApiKey(flags: Flags, environment: Record<string, string | undefined>, kind: string): string {
  const apiKey = flags.one("api-key") || environment.ASSAY_API_KEY;
  if (apiKey) return apiKey;
  throw usageFailure(`--api-key (or ASSAY_API_KEY) is missing: a ${kind}`);
}
