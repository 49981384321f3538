import { createHash, createHmac } from "node:crypto";
import { keyOf, listAll, prefixOf, type Store } from "@assay/store";
import { badRequest, invalid } from "../ground/errors.ts";
import { every } from "../ground/every.ts";
import type { Runtime } from "../ground/runtime.ts";
import type { Caller } from "../model/caller.ts";
import { parseBytes, toBytes } from "../storage/json.ts";
import { type Effect, inProgress, type Once, performOnce } from "../storage/once.ts";
import { KEPT_ANSWERS } from "./kept-answers.ts";

/** A request that can be repeated safely. */
export interface Repeatable {
  /** The `Idempotency-Key` header. */
  key: string;
  caller: Caller;
  method: string;
  path: string;
  body: unknown;
  /** Fields of the response that are shown only once. */
  once: readonly string[] | undefined;
}

/**
 * Returns the first response to repeated requests, for 24 hours per caller, also after a restart. The batch that
 * commits an effect also names it in the record of the request. If the server dies before it stores the response, a
 * repeat runs the handler again: effects that the record names return what they wrote, and write nothing.
 */
export interface Idempotency {
  /**
   * @throws ApiError 400 for an invalid key, 409 while another node performs the request, 422 for the same key with
   * another body
   */
  answer(request: Repeatable, perform: () => Promise<Response>): Promise<Response>;
  /** Starts an hourly cleanup of entries older than a day. */
  start(): void;
  close(): void;
}

interface Entry {
  at: number;
  fingerprint: string;
  /** The id of what the request creates. */
  id: string;
  /** Null while the first request is in progress. */
  answer: Answer | null;
  /** Effects committed so far. */
  effects?: Effect[];
}

interface Answer {
  status: number;
  headers: Record<string, string>;
  text: string;
}

const KEPT_MS = 24 * 3600 * 1000;
/** A node that has not responded within this time has died. */
const ABANDONED_MS = 60_000;
const SWEEP_MS = 3600 * 1000;
const KEPT_HEADERS = ["content-type", "etag", "location", "cache-control"];

export function createIdempotency(store: Store, runtime: Runtime): Idempotency {
  const inFlight = new Map<string, Promise<void>>();
  let stop = () => {};

  async function sweep(): Promise<void> {
    for await (const { key, value, version } of listAll(store, prefixOf(KEPT_ANSWERS), 500)) {
      if (runtime.now() - parseBytes<Entry>(value).at < KEPT_MS) continue;
      await store.batch([{ type: "delete", key, ifVersion: version }]);
    }
  }

  /** Claims the key. Returns the entry of an earlier request or, if the claim succeeded, the request to perform. */
  async function claim(key: string, fingerprint: string): Promise<Entry | Once> {
    for (;;) {
      const stored = await store.get(key);
      const entry = stored && parseBytes<Entry>(stored.value);
      const age = entry ? runtime.now() - entry.at : 0;
      if (entry && age < (entry.answer ? KEPT_MS : ABANDONED_MS)) return entry;
      const effects = (!entry?.answer && age < KEPT_MS && entry?.effects) || [];
      if (entry && effects.length > 0 && entry.fingerprint !== fingerprint) return entry;
      const id = effects.length > 0 ? entry!.id : runtime.id();
      const fields = { at: runtime.now(), fingerprint, id, answer: null } satisfies Entry;
      const value = toBytes({ ...fields, effects });
      const result = await store.batch([{ type: "put", key, value, ifVersion: stored?.version ?? 0 }]);
      if (result.ok) return { key, fields, version: result.results[0]!, earlier: [...effects], done: effects };
    }
  }

  /**
   * Stores the answer. Without an answer, stores the committed effects, which a repeat must not write again, or frees
   * the key if there are none. Writes only if the record still belongs to this request: a write that failed may have
   * reached the store. The request is done, so a failing store must not turn the response into an error.
   */
  async function settle({ key, fields, version, done }: Once, answer: Answer | null): Promise<void> {
    const at = answer ? runtime.now() : runtime.now() - ABANDONED_MS;
    const value = toBytes({ ...fields, at, answer, ...(answer ? {} : { effects: done }) });
    const isKept = answer !== null || done.length > 0;
    try {
      await store.batch([{ ...(isKept ? { type: "put", value } : { type: "delete" }), key, ifVersion: version }]);
    } catch (error) {
      runtime.logger.warn("The response to an Idempotency-Key could not be stored", { error: String(error) });
    }
  }

  async function first(once: Once, request: Repeatable, perform: () => Promise<Response>): Promise<Response> {
    const isRepeat = once.done.length > 0;
    let kept: Answer | null = null;
    try {
      const response = await performOnce(once, perform);
      if (isFinal(response.status)) kept = await keep(response, request.once);
      return isRepeat && kept ? again(kept) : response;
    } finally {
      await settle(once, kept);
    }
  }

  return {
    async answer(request, perform) {
      if (!/^[\x21-\x7e]{1,255}$/.test(request.key)) {
        throw badRequest("Idempotency-Key must be 1 to 255 visible characters");
      }
      const name = keyOf(
        KEPT_ANSWERS,
        createHash("sha256")
          .update(`${nameOf(request.caller)}\n${request.key}`)
          .digest("hex"),
      );
      const fingerprint = fingerprintOf(request);
      // On this node repeats wait for the first request. If its response was not kept, the next one tries.
      while (inFlight.has(name)) await inFlight.get(name);
      let done = () => {};
      inFlight.set(name, new Promise<void>((resolve) => (done = resolve)));
      try {
        const entry = await claim(name, fingerprint);
        if ("key" in entry) return await first(entry, request, perform);
        if (entry.fingerprint !== fingerprint) {
          throw invalid(
            ["body"],
            "This Idempotency-Key was used with another request; use a new one",
            "idempotency_key",
          );
        }
        if (entry.answer === null) throw inProgress();
        return again(entry.answer);
      } finally {
        inFlight.delete(name);
        done();
      }
    },
    start() {
      stop = every(SWEEP_MS, sweep, (error) =>
        runtime.logger.warn("Cannot sweep idempotency", { error: String(error) }),
      );
    },
    close: () => stop(),
  };
}

function again({ status, headers, text }: Answer): Response {
  return new Response(text, { status, headers: { ...headers, "Idempotency-Replayed": "true" } });
}

/** Whether a repeat would get the same response. False for credentials, rate limits and server errors. */
function isFinal(status: number): boolean {
  return status !== 401 && status !== 429 && status < 500;
}

async function keep(response: Response, once: readonly string[] = []): Promise<Answer> {
  const headers: Record<string, string> = {};
  for (const name of KEPT_HEADERS) {
    const value = response.headers.get(name);
    if (value !== null) headers[name] = value;
  }
  const text = await response.clone().text();
  return { status: response.status, headers, text: once.length > 0 ? without(text, once) : text };
}

function without(text: string, fields: readonly string[]): string {
  const value = JSON.parse(text) as Record<string, unknown>;
  for (const field of fields) delete value[field];
  return JSON.stringify(value);
}

function nameOf(caller: Caller): string {
  if (caller.type === "ANONYMOUS") return `address ${caller.actor.ip}`;
  return caller.type === "USER" ? `user ${caller.userId}` : `key ${caller.keyId}`;
}

/** Keyed by the header, so that stolen fingerprints do not allow guessing short passwords. */
function fingerprintOf({ key, method, path, body }: Repeatable): string {
  return createHmac("sha256", key)
    .update(`${method} ${path}\n${JSON.stringify(body)}`)
    .digest("hex");
}
