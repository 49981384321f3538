import type { Caller } from "../model/caller.ts";

/**
 * One request and its response. It has no path, query, header or body, because these contain keys, tokens and the ids of
 * users.
 */
export interface AccessLogEntry {
  /** ISO 8601, when the response was ready. */
  time: string;
  /** `X-Request-Id` of the response; errors in the log of the server have the same one. */
  request_id: string | null;
  method: string;
  /** The template of the route, such as `/api/v1/users/:user_id`; null for unknown paths. */
  route: string | null;
  status: number;
  /** Milliseconds until the response was ready, without the body of a stream. */
  duration_ms: number;
  /** Length of the body; null for streams. */
  bytes: number | null;
  /** Null if the request was refused before its credentials were accepted, and on routes without credentials. */
  caller: "USER" | "SERVER_KEY" | "CLIENT_KEY" | "ANONYMOUS" | null;
  /** Id of the user or API key. */
  caller_id: string | null;
  /** Address of the client, behind trusted proxies. Null if the host passes none. */
  address: string | null;
}

/** Receives every request. It is called in the request, so it must not block. */
export type AccessLog = (entry: AccessLogEntry) => void;

/** Returns the fields that name a caller. */
export function nameCaller(caller: Caller | null): Pick<AccessLogEntry, "caller" | "caller_id"> {
  if (caller === null || caller.type === "ANONYMOUS") return { caller: caller?.type ?? null, caller_id: null };
  if (caller.type === "USER") return { caller: "USER", caller_id: caller.userId };
  return { caller: `${caller.kind}_KEY`, caller_id: caller.keyId };
}
