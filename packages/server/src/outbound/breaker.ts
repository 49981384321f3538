import type { Runtime } from "../ground/runtime.ts";
import { OutboundError } from "./outbound-error.ts";

/** Number of consecutive failures that open the breaker of an origin, and for how long. */
export const BREAKER = { failures: 5, openMs: 30_000, origins: 1000 };

// Not `cockatiel`: version 4 needs Node 22, and it neither keys breakers by origin nor limits their number.
/** A circuit breaker per origin: closed, open after consecutive failures, then half-open for one probe. */
export interface Breaker {
  /**
   * Asks to send a request. Call the result with the outcome, or null if it does not concern the other side.
   * @throws OutboundError CIRCUIT_OPEN
   */
  enter(origin: string): (ok: boolean | null) => void;
}

interface Circuit {
  failures: number;
  /** Milliseconds since 1970. The breaker rejects earlier requests. */
  openUntil: number;
  /** Whether the probe is in progress. */
  probing: boolean;
}

export function createBreaker(runtime: Runtime): Breaker {
  // Contains only failed origins, in order of their last failure.
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
