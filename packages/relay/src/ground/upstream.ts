import { type Connection, createConnection } from "@assay/sdk";
import type { Settings } from "./option.ts";

/** Connects to the upstream with the key of a client. */
export function connectAs(settings: Settings, apiKey: string, origin: string | null): Connection {
  const { upstream, timeout, fetch } = settings;
  return createConnection({ baseUrl: upstream, apiKey, timeout, fetch, headers: origin === null ? {} : { origin } });
}

/** Returns the error of the upstream; undefined if the response is not the upstream's. */
export function detailOf({ text }: { text: string }): string | undefined {
  const { detail } = Object(parse(text));
  const [issue] = Array.isArray(detail) ? detail : [];
  return typeof detail === "string" ? detail : issue?.msg;
}

/** Parses JSON; undefined if it is none. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
