import type { Runtime } from "../runtime.ts";
import { OutboundError } from "./outbound-error.ts";

/** Failures in a row after which requests to an origin are refused at once, and for how long. */
export const BREAKER = { failures: 5, openMs: 30_000, origins: 1000 };

/** A circuit breaker per origin: closed, open after failures in a row, then half-open for one request that decides. */
export interface Breaker {
  /**
   * Asks to send a request; whoever may has to say how it ended, null where that says nothing about the other side.
   * @throws OutboundError CIRCUIT_OPEN
   */
  enter(origin: string): (ok: boolean | null) => void;
}

interface Circuit {
  failures: number;
  /** Milliseconds since 1970; requests before are refused. */
  openUntil: number;
  /** The one request that decides is under way. */
  probing: boolean;
}

export function createBreaker(runtime: Runtime): Breaker {
  // Only origins that failed are here; in order of their last failure.
  const circuits = new Map<string, Circuit>();

  function fail(origin: string): void {
    const failures = (circuits.get(origin)?.failures ?? 0) + 1;
    const openUntil = failures >= BREAKER.failures ? runtime.now() + BREAKER.openMs : 0;
    circuits.delete(origin);
    circuits.set(origin, { failures, openUntil, probing: false });
    if (circuits.size > BREAKER.origins) circuits.delete(circuits.keys().next().value!);
  }

  return {
    enter(origin) {
      const circuit = circuits.get(origin);
      if (circuit && (circuit.probing || runtime.now() < circuit.openUntil)) throw new OutboundError("CIRCUIT_OPEN");
      const isProbe = circuit !== undefined && circuit.openUntil > 0;
      if (isProbe) circuit.probing = true;
      return (ok) => {
        if (ok) circuits.delete(origin);
        else if (ok === false) fail(origin);
        else if (isProbe) circuit.probing = false;
      };
    },
  };
}
