import type { AuditLogEntry } from "@assay/client";
import { useQueryClient } from "@tanstack/react-query";
import { useLayoutEffect, useRef, useState } from "react";
import { SERVER_URL } from "../base.ts";
import { readEvents } from "../parts/event-stream.ts";
import { openStream } from "../session.ts";

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
/** How many new entries the page keeps. */
const KEPT = 1_000;

interface Listener {
  onOpen: () => void;
  onEntry: (entry: AuditLogEntry) => void;
  onClose: () => void;
}

/** Follows the stream of the trail and connects again when it ends, from where it was. */
async function follow(position: { id?: string }, { onOpen, onEntry, onClose }: Listener, signal: AbortSignal) {
  for (let wait = FIRST_WAIT_MS; !signal.aborted; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
    try {
      const headers: HeadersInit = position.id === undefined ? {} : { "last-event-id": position.id };
      const { ok, body } = await openStream(
        new Request(new URL("api/v1/audit-logs/stream", SERVER_URL), { headers, signal }),
      );
      if (ok && body) {
        onOpen();
        for await (const { event, id, data } of readEvents(body)) {
          if (event === "audit") onEntry(JSON.parse(data) as AuditLogEntry);
          if (id !== undefined) position.id = id;
          wait = FIRST_WAIT_MS;
        }
      }
    } catch {
      // The connection failed or the page stopped it.
    }
    if (signal.aborted) return;
    onClose();
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

/** The entries that were written since the page opened, newest first. After a pause, what was missed follows. */
export function useLiveTrail(isOn: boolean): { added: AuditLogEntry[]; isLive: boolean } {
  const queries = useQueryClient();
  const [added, setAdded] = useState<AuditLogEntry[]>([]);
  const [isLive, setLive] = useState(false);
  const position = useRef<{ id?: string }>({});
  // With the commit, so that nothing arrives after the page says that it is paused.
  useLayoutEffect(() => {
    if (!isOn) return;
    const stop = new AbortController();
    const listener: Listener = {
      onOpen() {
        setLive(true);
        // What was written between the first read and the stream is only in the list.
        void queries.invalidateQueries({ queryKey: ["audit"] });
      },
      onEntry: (entry) => setAdded((before) => [entry, ...before].slice(0, KEPT)),
      onClose: () => setLive(false),
    };
    void follow(position.current, listener, stop.signal);
    return () => {
      stop.abort();
      setLive(false);
    };
  }, [isOn, queries]);
  return { added, isLive };
}
