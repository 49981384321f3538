import { AsyncLocalStorage } from "node:async_hooks";
import type { PutOperation } from "@assay/store";
import { ApiError } from "../ground/errors.ts";
import { toBytes } from "./json.ts";

/** One committed effect of a request: where it was written, and the id of what was written. */
export type Effect = [place: string, id: string];

/** A request with an `Idempotency-Key` while it is performed, and its record in the store. */
export interface Once {
  /** The key of the record. */
  readonly key: string;
  /** The fields of the record besides its effects; `id` is one for what the request creates in several writes. */
  readonly fields: { id: string };
  /** The version of the record in the store. */
  version: number;
  /** Effects that an interrupted attempt committed, in order. Those still to be met again. */
  earlier: Effect[];
  /** All committed effects. */
  done: Effect[];
}

/** An effect about to be written. */
export interface Mark {
  /** Written in the batch of the effect: the record, which now names the effect. */
  operation: PutOperation;
  /** Call once the batch has committed. */
  committed(): void;
}

const requests = new AsyncLocalStorage<Once>();

/** Performs a request whose effects are marked in its record. */
export function performOnce<T>(once: Once, action: () => Promise<T>): Promise<T> {
  return requests.run(once, action);
}

/** Whether this request has an `Idempotency-Key`. */
export function isOnce(): boolean {
  return requests.getStore() !== undefined;
}

/** Runs what follows a write on its own: its writes are not effects of the request. */
export function apart<T>(action: () => T): T {
  return requests.getStore() ? requests.exit(action) : action();
}

/**
 * The mark of an effect of this request; null unless the request has an `Idempotency-Key`. The effect and its mark
 * commit together, so a repeat after a crash knows what was done.
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
 * The id of the next effect that an interrupted attempt of this request has committed, if it is one in this place; it
 * must not happen again.
 * @param id only if it is this one
 */
export function earlierEffect(place: string, id?: string): string | undefined {
  const earlier = requests.getStore()?.earlier;
  if (earlier?.[0]?.[0] !== place || (id !== undefined && earlier[0][1] !== id)) return undefined;
  return earlier.shift()![1];
}

/** An id that every attempt of this request has. */
export function onceId(): string | undefined {
  return requests.getStore()?.fields.id;
}

/** Whether an interrupted attempt of this request has committed the next effect, in this place. */
export function isResumed(place: string): boolean {
  return requests.getStore()?.earlier[0]?.[0] === place;
}

/** Another node has taken over a request that was slow. */
export function inProgress(): ApiError {
  return new ApiError(409, "A request with this Idempotency-Key is in progress; try again later", {
    "Retry-After": "1",
  });
}
