import type { ConnectionError } from "./connection.ts";
import type { EventBox, EventQueueOptions } from "./event-box.ts";

/** Sends the events of a box, in the background. */
export interface EventSender {
  /**
   * Sends the events of a full batch now, and others after a while. To be called after each new event.
   * @param isFirst whether no event was waiting before
   */
  schedule(isFirst?: boolean): void;
  /** Sends all events. Resolves when each event is stored, lost or scheduled for a retry. */
  flush(): Promise<void>;
  /** Sends events in a request that outlives the page. Events that do not fit stay in the box. */
  flushBeforeUnload(): void;
  /** Sends all events once and drops those that fail. The sender may be used again. */
  close(): Promise<void>;
}

/** Bodies are limited to 1 MB of UTF-8, and a character takes three bytes at most. */
const MAX_CHARACTERS = 300_000;
// Browsers limit requests that outlive their page to 64 kB of bodies, all pending ones of a page together.
const MAX_KEPT_BYTES = 65_536;
/** The length of a body without events: of `{"sent_at":"2026-01-31T09:30:01.000Z","events":[]}`. */
const ENVELOPE_BYTES = 50;
let keptBytes = 0;

/** Creates the sender of a box. */
export function createEventSender(
  box: EventBox,
  { batchSize = 100, flushIntervalMs = 1_000 }: Pick<EventQueueOptions, "batchSize" | "flushIntervalMs">,
): EventSender {
  const timer = box.createTimer();
  let failures = 0;
  let inFlight: Promise<void> | undefined;
  // Events in pending requests that outlive the page.
  const kept = new Set<string>();

  async function flush(): Promise<void> {
    timer.clear();
    if (box.waiting.length > 0) inFlight ??= sendAll();
    await inFlight;
  }

  async function sendAll(): Promise<void> {
    try {
      while (box.waiting.length > 0) {
        let room = MAX_CHARACTERS;
        const fits = (event: string) => {
          room -= event.length;
          return room >= 0;
        };
        await sendBatch(box.waiting.slice(0, batchSize).filter(fits));
      }
    } catch (error) {
      timer.set(box.retryDelay(++failures, (error as Partial<ConnectionError>).retryAfter), flush);
    }
    inFlight = undefined;
  }

  /** Sends events and removes them from the queue, unless a retry may help. */
  async function sendBatch(events: readonly string[], keepalive = false): Promise<void> {
    const { length } = events;
    const response = await box.post(events, keepalive).catch((error: ConnectionError) => {
      // Other code of the page may use the limit as well.
      if (keepalive && length > 1) return undefined;
      throw error;
    });
    if (!response || (response.status === 413 && length > 1)) {
      return sendBatch(events.slice(0, length / 2), keepalive);
    }
    const { status, text } = response;
    const error = box.toConnectionError(response);
    const isRefused = /^4(?!08|29)/.test(`${status}`);
    const { accepted, rejected = 0, errors } = Object(status < 300 && JSON.parse(text));
    // The response is not the server's, is incomplete, or requests a retry.
    if (!isRefused && typeof accepted !== "number") throw error;
    failures = 0;
    // Do not remove by count: another request may have delivered some of them, or reported them lost.
    const before = box.waiting.length;
    const sent = new Set(events);
    box.waiting = box.waiting.filter((event) => !sent.has(event));
    if (box.waiting.length === before) return;
    if (isRefused) box.drop(length, error);
    else if (rejected > 0) box.drop(rejected, `The server rejected: ${JSON.stringify(errors)?.slice(0, 500)}`);
  }

  function flushBeforeUnload(): void {
    let bytes = ENVELOPE_BYTES;
    const events = box.waiting.filter((event) => {
      // Not every jsdom has a `TextEncoder`.
      const more = bytes + encodeURIComponent(`,${event}`).replace(/%../g, "-").length;
      if (kept.has(event) || keptBytes + more > MAX_KEPT_BYTES) return false;
      bytes = more;
      return kept.add(event);
    });
    if (events.length === 0) return;
    keptBytes += bytes;
    sendBatch(events, true)
      .finally(() => {
        keptBytes -= bytes;
        for (const event of events) kept.delete(event);
      })
      // Ignore failures: the page is closing, and if it stays open, the timer sends the events again.
      .then(flushBeforeUnload, () => {});
  }

  return {
    schedule(isFirst = box.waiting.length === 1) {
      if (failures > 0) return;
      if (box.waiting.length >= batchSize) void flush();
      // Other events follow with the next batch, or after the current request.
      else if (isFirst) timer.set(flushIntervalMs, flush);
    },
    flush,
    flushBeforeUnload,
    async close() {
      await flush();
      timer.clear();
      failures = 0;
      const left = box.waiting.length;
      box.waiting = [];
      if (left > 0) box.drop(left, "The queue was closed");
    },
  };
}
