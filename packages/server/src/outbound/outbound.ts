import { lookup as systemLookup } from "node:dns";
import type { LookupFunction } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { Runtime } from "../runtime.ts";
import { type AllowPrivateNetworks, createAddressRule } from "./address.ts";
import { createBreaker } from "./breaker.ts";
import { type Answer, createExchange, type Message } from "./exchange.ts";
import { OutboundError } from "./outbound-error.ts";
import { redirectOf, toTarget } from "./redirect.ts";

export type { Answer } from "./exchange.ts";
export { OutboundError, type OutboundReason } from "./outbound-error.ts";

/** How requests leave. */
export interface OutboundOptions {
  /**
   * Whether they may go to private and loopback addresses, or to which networks (CIDR) of those. Addresses of the link
   * itself, such as those of cloud metadata, always have to be named. @default false
   */
  allowPrivateNetworks?: AllowPrivateNetworks;
}

export interface OutboundRequest {
  /** @default "GET" */
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  /** For everything together: redirects, retries, the body. @default 10000 */
  timeoutMs?: number;
  /** How often it is sent again after a failure that may pass. @default 2 where the method is idempotent, else 0 */
  retries?: number;
  /** Gives it up. */
  signal?: AbortSignal;
}

/** Sends requests to addresses that users gave, and to nowhere that they should not reach. */
export interface Outbound {
  /**
   * Resolves with any status. The address is checked, as are those its name resolves to at the moment of connecting and
   * all it redirects to (three times at most); the answer may have 1 MB.
   * @throws OutboundError
   */
  send(url: string, request?: OutboundRequest): Promise<Answer>;
}

const MAX_REDIRECTS = 3;
const IDEMPOTENT = ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"];
const PASSING = [429, 502, 503, 504];
const FIRST_DELAY_MS = 250;

/** What goes wrong on the other side, so that it counts there. */
const THEIRS = ["TIMEOUT", "CONNECTION", "TLS", "BAD_RESPONSE"];

/** @throws TypeError where `allowPrivateNetworks` is no list of networks */
export function createOutbound(
  deps: OutboundOptions & {
    runtime: Runtime;
    /** @default the system's resolver */
    lookup?: LookupFunction;
  },
): Outbound {
  const { runtime, allowPrivateNetworks = false, lookup = systemLookup as LookupFunction } = deps;
  // ofetch leaves connecting to the platform's fetch, which takes no resolver; undici, which that is made of, does.
  const exchange = createExchange(createAddressRule(allowPrivateNetworks), lookup);
  const breaker = createBreaker(runtime);

  /** One request to one origin, under its circuit breaker. */
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

  /** Milliseconds to wait before the next attempt: what the other side asks for, else longer each time, with jitter. */
  function delayOf(answer: Answer | null, attempt: number): number {
    const asked = answer?.headers["retry-after"];
    if (asked !== undefined) {
      const wait = /^\d{1,9}$/.test(asked) ? Number(asked) * 1000 : Date.parse(asked) - runtime.now();
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
