import type { DefinitionsChange } from "@assay/core";
import type { Access, Credentials } from "./access.ts";
import { unavailable } from "./ground/refusal.ts";
import type { View } from "./view.ts";

/** The open streams of changes. */
export interface Streams {
  /** Opens a stream. @throws Refusal 503 if there are too many */
  open(view: View, credentials: Credentials, lastEventId: string | null): Response;
  /** Announces a new version to the readers of a view. */
  announce(view: View, version: string, change: DefinitionsChange): void;
  readonly count: number;
  close(): void;
}

interface Reader {
  view: View;
  credentials: Credentials;
  controller: ReadableStreamDefaultController<Uint8Array>;
  /** Whether the reader was too slow for a change, and must fetch everything. */
  isBehind: boolean;
}

const BEAT_MS = 15_000;
const RETRY_MS = 2_000;
/** Bytes queued for a slow reader. */
const QUEUE_BYTES = 16_384;

// Proxies do not buffer events, and compression in front of the relay does not hold them back.
const HEADERS = {
  "Content-Type": "text/event-stream",
  "Cache-Control": "no-store, no-transform",
  "X-Accel-Buffering": "no",
};

const encoder = new TextEncoder();
const BEAT = encoder.encode(":\n\n");

function encode(event: string, version: string, change?: DefinitionsChange): Uint8Array {
  return encoder.encode(`event: ${event}\nid: ${version}\ndata: ${JSON.stringify({ version, ...change })}\n\n`);
}

export function createStreams(access: Access, maximum: number): Streams {
  const readers = new Set<Reader>();
  const beats = setInterval(beat, BEAT_MS).unref();

  function end(reader: Reader): void {
    if (readers.delete(reader)) reader.controller.close();
  }

  function catchUp(reader: Reader): void {
    if (!reader.isBehind) return;
    reader.isBehind = false;
    reader.controller.enqueue(encode("refetch", reader.view.version ?? ""));
  }

  /** Keeps connections open, and ends those whose key has lost its rights. */
  function beat(): void {
    const keys = new Map<string, Reader[]>();
    for (const reader of readers) {
      if ((reader.controller.desiredSize ?? 0) > 0) reader.controller.enqueue(BEAT);
      const name = JSON.stringify(reader.credentials);
      keys.set(name, [...(keys.get(name) ?? []), reader]);
    }
    for (const same of keys.values()) {
      void access.hasLost(same[0]!.credentials, "read").then((isLost) => {
        if (isLost) for (const reader of same) end(reader);
      });
    }
  }

  return {
    open(view, credentials, lastEventId) {
      if (readers.size >= maximum) throw unavailable("Too many streams are open", 30);
      const { version } = view;
      // Readers of a program may send its whole ETag.
      const last = lastEventId?.split(".")[0] ?? null;
      const hasMissed = last !== null && last !== version;
      let reader: Reader;
      const body = new ReadableStream<Uint8Array>(
        {
          start(controller) {
            reader = { view, credentials, controller, isBehind: hasMissed };
            readers.add(reader);
            controller.enqueue(encoder.encode(`retry: ${RETRY_MS}\n${hasMissed ? "" : `id: ${version}\n`}\n`));
          },
          pull: () => catchUp(reader),
          cancel: () => void readers.delete(reader),
        },
        new ByteLengthQueuingStrategy({ highWaterMark: QUEUE_BYTES }),
      );
      return new Response(body, { headers: HEADERS });
    },
    announce(view, version, change) {
      if (change.flags.length + change.experiments.length === 0) return;
      const bytes = encode("definitions", version, change);
      for (const reader of readers) {
        if (reader.view !== view) continue;
        if (!reader.isBehind && (reader.controller.desiredSize ?? 0) > 0) reader.controller.enqueue(bytes);
        else reader.isBehind = true;
      }
    },
    get count() {
      return readers.size;
    },
    close() {
      clearInterval(beats);
      for (const reader of [...readers]) end(reader);
    },
  };
}
