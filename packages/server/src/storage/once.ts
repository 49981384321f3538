import { AsyncLocalStorage } from "node:async_hooks";
import type { PutOperation } from "@assay/store";
import { ApiError } from "../ground/errors.ts";
import { toBytes } from "./json.ts";

/** A committed effect of a request: the place of the write, and the id of what it wrote. */
export type Effect = [place: string, id: string];

/** A request in progress with an `Idempotency-Key`, and its record in the store. */
export interface Once {
  /** The key of the record. */
  readonly key: string;
  /** The fields of the record besides its effects. `id` is the id of what the request creates in several writes. */
  readonly fields: { id: string };
  /** The version of the record in the store. */
  version: number;
  /** Effects that an interrupted attempt committed and this attempt has not reached yet, in order. */
  earlier: Effect[];
  /** All committed effects. */
  done: Effect[];
}

/** An effect about to be written. */
export interface Mark {
  /** Writes the record, which now names the effect. Belongs in the batch of the effect. */
  operation: PutOperation;
  /** Call once the batch has committed. */
  committed(): void;
}

const requests = new AsyncLocalStorage<Once>();

/** Performs a request and marks its effects in its record. */
export function performOnce<T>(once: Once, action: () => Promise<T>): Promise<T> {
  return requests.run(once, action);
}

/** Whether this request has an `Idempotency-Key`. */
export function isOnce(): boolean {
  return requests.getStore() !== undefined;
}

/** Runs an action whose writes do not count as effects of the request. */
export function apart<T>(action: () => T): T {
  return requests.getStore() ? requests.exit(action) : action();
}

/**
 * Returns the mark of an effect of this request, or null if the request has no `Idempotency-Key`. The effect and its
 * mark commit together, so a repeat after a crash knows what the request has done.
 */
export function markEffect(place: string, id: string): Mark | null {
  const once = requests.getStore();
  if (!once) return null;
  const done: Effect[] = [...once.done, [place, id]];
  const value = toBytes({ ...once.fields, effects: done });
  return {
    operation: { type: "put", key: once.key, value, ifVersion: once.version },
    committed() {
      once.done = done;
      once.version++;
    },
  };
}

/**
 * Takes the next effect that an interrupted attempt of this request has committed, and returns its id. The caller must
 * not repeat that effect. Returns undefined if the place or the id differs.
 * @param id undefined for any id
 */
export function earlierEffect(place: string, id?: string): string | undefined {
  const earlier = requests.getStore()?.earlier;
  if (earlier?.[0]?.[0] !== place || (id !== undefined && earlier[0][1] !== id)) return undefined;
  return earlier.shift()![1];
}

/** Returns the id that all attempts of this request share. */
export function onceId(): string | undefined {
  return requests.getStore()?.fields.id;
}

/** Whether the next effect that an interrupted attempt of this request has committed is in this place. */
export function isResumed(place: string): boolean {
  return requests.getStore()?.earlier[0]?.[0] === place;
}

/** Creates the 409 for a request that another node performs. */
export function inProgress(): ApiError {
  return new ApiError(409, "A request with this Idempotency-Key is in progress; try again later", {
    "Retry-After": "1",
  });
}
