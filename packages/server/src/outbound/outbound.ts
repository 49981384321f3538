import { lookup as systemLookup } from "node:dns";
import type { LookupFunction } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { Runtime } from "../ground/runtime.ts";
import { type AllowPrivateNetworks, createAddressRule } from "./address.ts";
import { createBreaker } from "./breaker.ts";
import { type Answer, createExchange, type Message } from "./exchange.ts";
import { OutboundError } from "./outbound-error.ts";
import { redirectOf, toTarget } from "./redirect.ts";

export type { Answer } from "./exchange.ts";
export { OutboundError, type OutboundReason } from "./outbound-error.ts";

/** Options of outgoing requests. */
export interface OutboundOptions {
  /**
   * Whether requests may go to private and loopback addresses, or a list of allowed networks (CIDR). Link-local
   * addresses, such as cloud metadata, must always be listed. @default false
   */
  allowPrivateNetworks?: AllowPrivateNetworks;
}

export interface OutboundRequest {
  /** @default "GET" */
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  /** Total time including redirects, retries and body. @default 10000 */
  timeoutMs?: number;
  /** Number of retries after a temporary failure. @default 2 if the method is idempotent, else 0 */
  retries?: number;
  /** Aborts the request. */
  signal?: AbortSignal;
}

/** Sends requests to user-provided addresses, protected against SSRF. */
export interface Outbound {
  /**
   * Resolves with any status. Checks the address, the addresses its name resolves to on connect, and at most three
   * redirects. The response may have 1 MB.
   * @throws OutboundError
   */
  send(url: string, request?: OutboundRequest): Promise<Answer>;
}

const MAX_REDIRECTS = 3;
const IDEMPOTENT = ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"];
const PASSING = [429, 502, 503, 504];
const FIRST_DELAY_MS = 250;

/** Failures of the other side, which count for its circuit breaker. */
const THEIRS = ["TIMEOUT", "CONNECTION", "TLS", "BAD_RESPONSE"];

/** @throws TypeError if `allowPrivateNetworks` is not a list of networks */
export function createOutbound(
  deps: OutboundOptions & {
    runtime: Runtime;
    /** @default the system's resolver */
    lookup?: LookupFunction;
  },
): Outbound {
  const { runtime, allowPrivateNetworks = false, lookup = systemLookup as LookupFunction } = deps;
  // ofetch uses the platform's fetch, which takes no resolver. undici, its basis, does.
  const exchange = createExchange(createAddressRule(allowPrivateNetworks), lookup);
  const breaker = createBreaker(runtime);

  /** One request to one origin, with its circuit breaker. */
  async function guarded(url: URL, message: Message, signal: AbortSignal): Promise<Answer> {
    const end = breaker.enter(url.origin);
    try {
      const answer = await exchange(url, message, signal);
      end(answer.status < 500);
      return answer;
    } catch (error) {
      end(error instanceof OutboundError && THEIRS.includes(error.reason) ? false : null);
      throw error;
    }
  }

  async function follow(first: URL, original: Message, signal: AbortSignal): Promise<Answer> {
    let [url, message] = [first, original];
    for (let redirects = 0; ; redirects++) {
      const answer = await guarded(url, message, signal);
      const next = redirectOf(url, message, answer);
      if (!next) return answer;
      if (redirects === MAX_REDIRECTS) throw new OutboundError("REFUSED_REDIRECT");
      ({ url, message } = next);
    }
  }

  /** Milliseconds before the next attempt: `Retry-After` if present, otherwise exponential backoff with jitter. */
  function delayOf(answer: Answer | null, attempt: number): number {
    const retryAfter = answer?.headers["retry-after"];
    if (retryAfter !== undefined) {
      const wait = /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - runtime.now();
      if (wait >= 0) return wait;
    }
    return FIRST_DELAY_MS * 2 ** attempt * Math.random();
  }

  return {
    async send(address, request = {}) {
      const { method = "GET", headers = {}, body, timeoutMs = 10_000 } = request;
      const { retries = IDEMPOTENT.includes(method) ? 2 : 0 } = request;
      const url = toTarget(address);
      const end = performance.now() + timeoutMs;
      const timeout = AbortSignal.timeout(timeoutMs);
      const signal = request.signal ? AbortSignal.any([timeout, request.signal]) : timeout;
      for (let attempt = 0; ; attempt++) {
        let answer: Answer | null = null;
        let failure: unknown;
        try {
          answer = await follow(url, { method, headers, body }, signal);
        } catch (error) {
          failure = error;
        }
        const mayPass = answer
          ? PASSING.includes(answer.status)
          : failure instanceof OutboundError && failure.reason === "CONNECTION";
        const delay = delayOf(answer, attempt);
        const isLast = !mayPass || attempt >= retries || performance.now() + delay >= end;
        if (isLast && answer) return answer;
        if (isLast) throw failure;
        await pause(delay, undefined, { signal }).catch(() => {
          throw new OutboundError(request.signal?.aborted ? "ABORTED" : "TIMEOUT");
        });
      }
    },
  };
}
