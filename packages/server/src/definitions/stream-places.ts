import { ApiError } from "../ground/errors.ts";
import { networkOf } from "../identity/network.ts";
import type { Caller } from "../model/caller.ts";

/** Maximum numbers of concurrent streams of CLIENT keys, which anyone can read; see `docs/limits.md`. */
export interface ClientStreams {
  /** Of all CLIENT keys together. The other places are for SERVER keys. @default 80 % of `maxStreams` */
  total: number;
  /** Of one CLIENT key. @default 50 % of `maxStreams` */
  perKey: number;
  /** Of all CLIENT keys from one client address (IPv6: from one /64 network). @default 1 % of `maxStreams` */
  perAddress: number;
}

/** The places for streams of one node. */
export interface StreamPlaces {
  /**
   * Takes a place until the returned function is called.
   * @throws ApiError 429 if the CLIENT keys, the key or its address have as many streams as they may; 503 if every
   * place is taken
   */
  take(caller: Caller): () => void;
}

/** A group of streams with its own maximum, and its name in the 429. */
type Sharer = [name: string, maximum: number, who: string];

const RETRY = { "Retry-After": "30" };

/**
 * Creates the places.
 *
 * @param limit maximum number of concurrent streams
 * @throws TypeError if a limit of CLIENT keys is not a positive number
 */
export function createStreamPlaces(limit: number, given: Partial<ClientStreams> = {}): StreamPlaces {
  for (const [name, value] of Object.entries(given)) {
    if (!(value >= 1)) throw new TypeError(`clientStreams.${name} must be at least 1`);
  }
  const share = (part: number) => Math.max(1, Math.floor(limit * part));
  const { total, perKey, perAddress } = { total: share(0.8), perKey: share(0.5), perAddress: share(0.01), ...given };
  const taken = new Map<string, number>();
  const count = (name: string) => taken.get(name) ?? 0;

  function sharersOf(caller: Caller): Sharer[] {
    if (caller.type !== "API_KEY" || caller.kind !== "CLIENT") return [];
    const { keyId, actor } = caller;
    return [
      // Hosts that pass no address must not have all their clients share one.
      ...(actor.ip === null ? [] : [[`address ${networkOf(actor.ip)}`, perAddress, "Your client address"] as Sharer]),
      [`key ${keyId}`, perKey, "This CLIENT key"],
      ["clients", total, "All CLIENT keys together"],
    ];
  }

  return {
    take(caller) {
      const sharers = sharersOf(caller);
      for (const [name, maximum, who] of sharers) {
        if (count(name) < maximum) continue;
        const can = `${maximum} ${maximum === 1 ? "stream" : "streams"}`;
        throw new ApiError(429, `${who} can have ${can} open. Close a stream, or fetch the flags without one.`, RETRY);
      }
      if (count("all") >= limit) throw new ApiError(503, "Too many streams are open", RETRY);
      const names = ["all", ...sharers.map(([name]) => name)];
      for (const name of names) taken.set(name, count(name) + 1);
      return () => {
        for (const name of names) {
          if (count(name) > 1) taken.set(name, count(name) - 1);
          else taken.delete(name);
        }
      };
    },
  };
}
