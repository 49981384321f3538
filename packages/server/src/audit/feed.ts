import { setImmediate } from "node:timers/promises";
import type { AuditLogEntry } from "@assay/contract";
import type { Store } from "@assay/store";
import { ApiError } from "../ground/errors.ts";
import { every } from "../ground/every.ts";
import type { Runtime } from "../ground/runtime.ts";
import { createEventStream, type EventStream, encodeEvent } from "../http/event-stream.ts";
import type { ActorNames } from "../identity/actor-names.ts";
import { AUDIT_JOURNAL } from "../storage/collection.ts";
import { toAuditRecord } from "./entry.ts";
import { hidePeople, withActorName } from "./privacy.ts";

/** Streams new audit entries to readers. */
export interface AuditFeed {
  /**
   * Opens a stream of the entries after `lastSequence`, or of new entries only if it is null.
   * @throws ApiError 503 if there are too many readers
   */
  listen(lastSequence: number | null, rights: ReaderRights): Promise<Response>;
  /** How many readers are connected. */
  readonly count: number;
  /** Call after appending an entry. */
  advance(): void;
  close(): void;
}

/** The rights of a reader. */
export interface ReaderRights {
  /** Whether the reader sees e-mail addresses and wizard drafts of others. */
  seesPeople: boolean;
  /** Returns the current `seesPeople`. Rejects once the reader loses access. */
  readmit: () => Promise<boolean>;
}

/** An entry, encoded for readers who see people's data and for those who do not. */
interface Encoded {
  sequence: number;
  full: Uint8Array;
  hidden: Uint8Array;
}

/**
 * One reader. It keeps a position in the trail instead of a queue. When its stream drains, it reads the entries again
 * that the stream has not taken.
 */
interface Reader extends ReaderRights {
  stream: EventStream;
  position: number;
  /** The end of the trail when the reader stopped taking entries. Null while it takes them. */
  stalledAt: number | null;
  isPumping: boolean;
}

const HEARTBEAT_MS = 15_000;
/** Interval of polls, because other processes append entries, too. */
const POLL_MS = 1000;
/** Maximum number of new entries that a reader may lag behind, and of entries kept encoded for all readers. */
const MAX_BEHIND = 500;
const KEPT_BYTES = 4_194_304;
const PAGE = 100;

/** @param limit maximum number of concurrent readers */
export function createAuditFeed(store: Store, runtime: Runtime, limit: number, names: ActorNames): AuditFeed {
  const readers = new Set<Reader>();
  /** The newest entries, encoded once for all readers. */
  let recent: Encoded[] = [];
  let recentBytes = 0;
  let tail = 0;
  let isFollowing = false;
  let isBehind = false;
  let stops: (() => void)[] = [];
  let isClosed = false;

  async function read(after: number): Promise<Encoded[]> {
    const records = await store.read(AUDIT_JOURNAL, after, PAGE);
    return records.map((record) => {
      const entry = withActorName(toAuditRecord(record), names);
      const shown = hidePeople(entry);
      const full = encode(entry);
      return { sequence: entry.sequence, full, hidden: shown === entry ? full : encode(shown) };
    });
  }

  async function follow(): Promise<void> {
    do {
      // Batches entries that are appended in the same tick.
      await setImmediate();
      isBehind = false;
      for (;;) {
        const added = await read(tail);
        for (const one of added) {
          tail = one.sequence;
          recent.push(one);
          recentBytes += sizeOf(one);
        }
        trim();
        for (const reader of readers) {
          if (reader.stalledAt !== null && tail - reader.stalledAt > MAX_BEHIND) giveUp(reader);
          else if (!reader.stream.isFull) void pump(reader);
        }
        if (added.length < PAGE) break;
      }
    } while (isBehind);
  }

  function trim(): void {
    let drop = Math.max(0, recent.length - MAX_BEHIND);
    for (let index = 0; index < drop; index++) recentBytes -= sizeOf(recent[index]!);
    for (; recentBytes > KEPT_BYTES && drop < recent.length - 1; drop++) recentBytes -= sizeOf(recent[drop]!);
    if (drop > 0) recent = recent.slice(drop);
  }

  /** Sends entries in order until the stream is full. Recent ones come from memory, older ones from the store. */
  async function pump(reader: Reader): Promise<void> {
    if (reader.isPumping) return;
    reader.isPumping = true;
    try {
      while (reader.position < tail && !reader.stream.isFull && readers.has(reader)) {
        const first = recent[0];
        const isRecent = first !== undefined && first.sequence <= reader.position + 1;
        const next = isRecent ? recent : await read(reader.position);
        if (next.length === 0) break;
        for (const { sequence, full, hidden } of next) {
          if (sequence <= reader.position) continue;
          if (reader.stream.isFull) break;
          reader.stream.send(reader.seesPeople ? full : hidden);
          reader.position = sequence;
        }
      }
      reader.stalledAt = reader.stream.isFull ? (reader.stalledAt ?? tail) : null;
    } catch (error) {
      runtime.logger.warn("The audit stream cannot be read", { error: String(error) });
      reader.stream.close();
    } finally {
      reader.isPumping = false;
    }
  }

  /** Closes a slow reader. It reconnects with its last id and misses no entry. */
  function giveUp({ stream, position }: Reader): void {
    stream.send(encodeEvent({ event: "gap", data: { last_event_id: String(position) } }));
    stream.close();
  }

  function beat(): void {
    for (const reader of readers) {
      reader.stream.beat();
      reader.readmit().then(
        (seesPeople) => {
          reader.seesPeople = seesPeople;
        },
        (error: unknown) => {
          // Store outages do not close streams.
          if (error instanceof ApiError && (error.status === 401 || error.status === 403)) reader.stream.close();
        },
      );
    }
  }

  function advance(): void {
    if (readers.size === 0 || isClosed) return;
    isBehind = true;
    if (isFollowing) return;
    isFollowing = true;
    follow()
      .catch((error: unknown) => runtime.logger.warn("The audit trail cannot be followed", { error: String(error) }))
      .finally(() => {
        isFollowing = false;
      });
  }

  function stop(): void {
    for (const stop of stops) stop();
    stops = [];
  }

  return {
    async listen(lastSequence, rights) {
      const head = await store.head(AUDIT_JOURNAL);
      if (isClosed || readers.size >= limit)
        throw new ApiError(503, "Too many streams are open", { "Retry-After": "30" });
      const position = lastSequence === null ? head : Math.min(lastSequence, head);
      const stream = createEventStream({
        id: String(position),
        onDrain: () => void pump(reader),
        onEnd() {
          readers.delete(reader);
          if (readers.size === 0) stop();
        },
      });
      const reader: Reader = { stream, position, stalledAt: null, isPumping: false, ...rights };
      if (readers.size === 0) {
        tail = head;
        recent = [];
        recentBytes = 0;
        stops = [every(HEARTBEAT_MS, beat)];
        if (store.capabilities.multiProcess) stops.push(every(POLL_MS, advance));
      }
      readers.add(reader);
      advance();
      return stream.response;
    },
    get count() {
      return readers.size;
    },
    advance,
    close() {
      isClosed = true;
      for (const { stream } of [...readers]) stream.close();
      stop();
    },
  };
}

function encode(entry: AuditLogEntry): Uint8Array {
  return encodeEvent({ event: "audit", id: String(entry.sequence), data: entry });
}

function sizeOf({ full, hidden }: Encoded): number {
  return full === hidden ? full.byteLength : full.byteLength + hidden.byteLength;
}
