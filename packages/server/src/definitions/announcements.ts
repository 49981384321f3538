import type { DefinitionsChange, Engine } from "@assay/core";
import { ApiError } from "../ground/errors.ts";
import { every } from "../ground/every.ts";
import { createEventStream, type EventStream, encodeEvent, type ServerSentEvent } from "../http/event-stream.ts";
import type { Caller } from "../model/caller.ts";
import type { StreamPlaces } from "./stream-places.ts";
import type { View } from "./views.ts";

/** Encodes a change for a reader. `change` is null if the reader may have missed one and must fetch everything. */
export type Announce = (version: string, change: DefinitionsChange | null) => ServerSentEvent;

export interface Listening {
  caller: Caller;
  view: View;
  announce: Announce;
  /** The version the reader has, from `Last-Event-ID`. */
  lastEventId: string | null;
  /** Rejects once the reader loses access. */
  readmit(): Promise<unknown>;
}

/** Notifies readers of changed definitions. */
export interface Announcements {
  /** @throws ApiError 429 if a CLIENT key has too many streams, 503 if there are too many or the server is closing */
  listen(listening: Listening): Response;
  /** How many readers are connected. */
  readonly count: number;
  /** Checks again whether each reader still has access. */
  recheck(): void;
  close(): void;
}

interface Reader extends Listening {
  stream: EventStream;
  /** Changes the reader has not received yet. */
  missed: DefinitionsChange | "too much" | null;
}

const HEARTBEAT_MS = 15_000;
/** Maximum number of names kept for a slow reader. Beyond it the reader must fetch everything. */
const MAX_NAMES = 1000;

export function createAnnouncements(engine: Engine, places: StreamPlaces): Announcements {
  const readers = new Set<Reader>();
  let isClosed = false;
  let stopBeating = () => {};

  const stopFollowing = engine.onChange((change) => {
    // Most readers share a view and an encoding.
    const made = new Map<View, Map<Announce, Uint8Array | null>>();
    for (const reader of readers) {
      const { view, announce, stream } = reader;
      const forView = made.get(view) ?? new Map<Announce, Uint8Array | null>();
      made.set(view, forView);
      let bytes = forView.get(announce);
      if (bytes === undefined) {
        const visible = view.visible(change);
        const concerns = visible.flags.length + visible.experiments.length > 0;
        bytes = concerns ? encodeEvent(announce(view.version(), visible)) : null;
        forView.set(announce, bytes);
      }
      if (bytes === null) continue;
      if (reader.missed === null && !stream.isFull) stream.send(bytes);
      else reader.missed = merge(reader.missed, view.visible(change));
    }
  });

  function catchUp(reader: Reader): void {
    if (reader.missed === null) return;
    const change = reader.missed === "too much" ? null : reader.missed;
    reader.missed = null;
    reader.stream.send(encodeEvent(reader.announce(reader.view.version(), change)));
  }

  function recheck(): void {
    for (const { readmit, stream } of readers) {
      readmit().catch((error: unknown) => {
        // Store outages do not close streams.
        if (error instanceof ApiError && (error.status === 401 || error.status === 403)) stream.close();
      });
    }
  }

  function beat(): void {
    for (const { stream } of readers) stream.beat();
    recheck();
  }

  return {
    listen(listening) {
      if (isClosed) throw new ApiError(503, "The server is closing", { "Retry-After": "30" });
      const leave = places.take(listening.caller);
      const version = listening.view.version();
      const hasMissed = listening.lastEventId !== null && listening.lastEventId !== version;
      const stream = createEventStream({
        // A reader that missed a change must not get the current id before it receives that change.
        ...(hasMissed ? {} : { id: version }),
        onDrain: () => catchUp(reader),
        onEnd() {
          readers.delete(reader);
          leave();
          if (readers.size === 0) stopBeating();
        },
      });
      const reader: Reader = { ...listening, stream, missed: hasMissed ? "too much" : null };
      if (readers.size === 0) {
        stopBeating = every(HEARTBEAT_MS, beat);
      }
      readers.add(reader);
      return stream.response;
    },
    get count() {
      return readers.size;
    },
    recheck,
    close() {
      isClosed = true;
      stopFollowing();
      for (const { stream } of [...readers]) stream.close();
    },
  };
}

function merge(missed: Reader["missed"], change: DefinitionsChange): Reader["missed"] {
  if (missed === "too much") return missed;
  const flags = [...new Set([...(missed?.flags ?? []), ...change.flags])].sort();
  const experiments = [...new Set([...(missed?.experiments ?? []), ...change.experiments])].sort();
  return flags.length + experiments.length > MAX_NAMES ? "too much" : { flags, experiments };
}
