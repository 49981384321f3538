import type { LookupFunction } from "node:net";
import { isIP } from "node:net";
import type { AddressRule } from "./address.ts";
import { OutboundError } from "./outbound-error.ts";

/** Maximum size of a response body in bytes. */
export const MAX_ANSWER_BYTES = 1_048_576;

type Errors = typeof import("undici").errors;

/** One outgoing request. */
export interface Message {
  method: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** A response with any status. */
export interface Answer {
  status: number;
  /** Lowercase names. Commas join the values of repeated headers. */
  headers: Record<string, string>;
  text: string;
}

/** One request and its response; redirects are responses. Rejects with {@link OutboundError}. */
export type Exchange = (url: URL, message: Message, signal: AbortSignal) => Promise<Answer>;

/** @param lookup resolves host names; its results are checked before connecting */
export function createExchange(isAllowed: AddressRule, lookup: LookupFunction): Exchange {
  const checked = checkedLookup(isAllowed, lookup);

  return async (url, message, signal) => {
    const host = url.hostname.replace(/^\[|\]$/g, "");
    if (isIP(host) && !isAllowed(host)) throw new OutboundError("BLOCKED_ADDRESS");
    // Loaded with the first request, because it takes long and many servers send none.
    const { Agent, errors, request } = await import("undici");
    // A new connection for every request, so that each address is checked on connect.
    const agent = new Agent({
      connect: { lookup: checked },
      pipelining: 0,
      maxHeaderSize: 16_384,
      maxResponseSize: MAX_ANSWER_BYTES,
    });
    try {
      const headers = { "user-agent": "assay", "accept-encoding": "identity", ...message.headers };
      const { method, body } = message;
      const answer = await request(url, { dispatcher: agent, method: method as "GET", headers, body, signal });
      const encoding = answer.headers["content-encoding"];
      if (encoding !== undefined && encoding !== "identity") throw new OutboundError("BAD_RESPONSE");
      return { status: answer.statusCode, headers: flat(answer.headers), text: await answer.body.text() };
    } catch (error) {
      throw toOutboundError(error, errors, signal);
    } finally {
      agent.destroy().catch(() => {});
    }
  };
}

/** Filters forbidden addresses from the resolver, so that only checked addresses are used. */
function checkedLookup(isAllowed: AddressRule, lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, "");
      const addresses = (Array.isArray(found) ? found : []).filter(({ address }) => isAllowed(address));
      const [first] = addresses;
      if (!first) return callback(new OutboundError("BLOCKED_ADDRESS"), "");
      return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
    });
  };
}

function flat(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]],
    ),
  );
}

function toOutboundError(error: unknown, errors: Errors, signal: AbortSignal): OutboundError {
  if (error instanceof OutboundError) return error;
  if (signal.aborted) return new OutboundError(isTimeout(signal.reason) ? "TIMEOUT" : "ABORTED");
  if (error instanceof errors.ResponseExceededMaxSizeError) return new OutboundError("TOO_LARGE");
  if (error instanceof errors.HeadersOverflowError) return new OutboundError("TOO_LARGE");
  if (error instanceof errors.ConnectTimeoutError) return new OutboundError("TIMEOUT");
  if (error instanceof errors.InvalidArgumentError) return new OutboundError("BAD_URL");
  if (error instanceof errors.HTTPParserError) return new OutboundError("BAD_RESPONSE");
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return new OutboundError(/CERT|ERR_TLS|ERR_SSL|SELF_SIGNED|UNABLE_TO_/.test(code) ? "TLS" : "CONNECTION");
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof Error && reason.name === "TimeoutError";
}
