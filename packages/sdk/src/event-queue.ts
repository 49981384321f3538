import type { JsonValue } from "@assay/core";
import { type ConnectionError, type ConnectionOptions, createConnection, toConnectionError } from "./connection.ts";
import { createEventId } from "./event-id.ts";
import { COUNT, checkOptions, DURATION, FUNCTION } from "./option.ts";
import { retryDelay } from "./retry.ts";
import { createTimer } from "./timer.ts";

/** A tracking event with the field names of the API. */
export interface TrackingEvent {
  event_type: string;
  user_id: string;
  experiment_id?: string;
  variant_id?: string;
  feature_flag_key?: string;
  value?: number;
  event_metadata?: { [key: string]: JsonValue };
  /** Id of the event, generated if absent. The server counts events with the same id once. */
  event_id?: string;
  /** Time of the event, ISO 8601; default: the time of `push`. */
  timestamp?: string;
}

export interface EventQueueOptions extends ConnectionOptions {
  /**
   * Maximum number of queued events while the server is unreachable. Further events are dropped.
   * @default 10000
   */
  capacity?: number;
  /**
   * Number of events per request. A full batch is sent immediately.
   * @default 100
   */
  batchSize?: number;
  /**
   * Maximum time in milliseconds that an event waits for its batch.
   * @default 1000
   */
  flushIntervalMs?: number;
  /** Receives the number of lost events: rejected by the server, too many or too large. */
  onDrop?: (count: number, reason: Error) => void;
  /** Logs lost events. */
  logger?: { warn(message: string): void } | undefined;
  /** Milliseconds since the epoch. @default Date.now */
  now?: () => number;
}

/** Sends tracking events in batches, in the background. */
export interface EventQueue {
  /** The number of queued events. */
  readonly size: number;
  /** Queues one event. Returns false if the queue is full. Never throws and never waits. */
  push(event: TrackingEvent): boolean;
  /** Reports lost events; returns false. */
  drop(count: number, reason: unknown): false;
  /** Sends all queued events. Resolves when each event is stored, lost or scheduled for a retry. */
  flush(): Promise<void>;
  /** Sends queued events in a request that outlives the page. Events that do not fit stay queued. */
  flushBeforeUnload(): void;
  /** Sends all queued events once and drops those that fail. The queue may be used again. */
  close(): Promise<void>;
}

// Bodies are limited to 1 MB of UTF-8, and a character takes three bytes at most.
const MAX_CHARACTERS = 300_000;
// Browsers limit requests that outlive their page to 64 kB of bodies, all pending ones of a page together.
const MAX_KEPT_BYTES = 65_536;
let keptBytes = 0;

/** The options of the queue alone, with their checks. */
export const QUEUE_OPTIONS = { capacity: COUNT, batchSize: COUNT, flushIntervalMs: DURATION, onDrop: FUNCTION };

/**
 * Creates an event queue. Events are kept as JSON with an id and a time, so that resending a batch does not count
 * twice.
 * @param within prefix of the options' names in errors, if they are nested
 * @throws OptionError if an option is invalid
 */
export function createEventQueue(
  options: EventQueueOptions,
  connection = createConnection(options),
  within?: string,
): EventQueue {
  const { capacity = 10_000, batchSize = 100, flushIntervalMs = 1_000, now = Date.now } = options;
  checkOptions(options, QUEUE_OPTIONS, within);
  const toTime = () => new Date(now()).toISOString();
  const timer = createTimer();
  let queued: string[] = [];
  let failures = 0;
  let inFlight: Promise<void> | undefined;
  // Events in pending requests that outlive the page.
  const kept = new Set<string>();

  async function flush(): Promise<void> {
    timer.clear();
    if (queued.length > 0) inFlight ??= sendAll();
    await inFlight;
  }

  async function sendAll(): Promise<void> {
    try {
      while (queued.length > 0) {
        let room = MAX_CHARACTERS;
        const fits = (event: string) => {
          room -= event.length;
          return room >= 0;
        };
        await sendBatch(queued.slice(0, batchSize).filter(fits));
      }
    } catch (error) {
      timer.set(retryDelay(++failures, (error as Partial<ConnectionError>).retryAfter), flush);
    }
    inFlight = undefined;
  }

  // With the sending time, the server corrects the events' times for a wrong clock.
  const toBody = (events: readonly string[]) => `{"sent_at":"${toTime()}","events":[${events}]}`;

  /** Sends events and removes them from the queue, unless a retry may help. */
  async function sendBatch(events: readonly string[], keepalive = false): Promise<void> {
    const { length } = events;
    const body = toBody(events);
    const headers = { "content-type": "application/json" };
    const request = { path: "/tracking/events", method: "POST", headers, body, keepalive };
    const response = await connection.request(request).catch((error: ConnectionError) => {
      // Other code of the page may use the limit as well.
      if (keepalive && length > 1) return undefined;
      throw error;
    });
    if (!response || (response.status === 413 && length > 1)) {
      return sendBatch(events.slice(0, length / 2), keepalive);
    }
    const { status, text } = response;
    const error = toConnectionError(response);
    const isRefused = /^4(?!08|29)/.test(`${status}`);
    const { accepted, rejected = 0, errors } = Object(status < 300 && JSON.parse(text));
    // The response is not the server's, is incomplete, or requests a retry.
    if (!isRefused && typeof accepted !== "number") throw error;
    failures = 0;
    // Do not remove by count: another request may have delivered some of them, or reported them lost.
    const before = queued.length;
    const sent = new Set(events);
    queued = queued.filter((event) => !sent.has(event));
    if (queued.length === before) return;
    if (isRefused) drop(length, error);
    else if (rejected > 0) drop(rejected, `The server rejected: ${JSON.stringify(errors)?.slice(0, 500)}`);
  }

  function flushBeforeUnload(): void {
    let bytes = toBody([]).length;
    const events = queued.filter((event) => {
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

  const drop = createDrop(options);

  return {
    get size() {
      return queued.length;
    },
    push(event) {
      if (queued.length >= capacity) return drop(1, `The queue is full (${capacity} events)`);
      let text: string;
      try {
        text = JSON.stringify({
          ...event,
          event_id: event.event_id ?? createEventId(now()),
          timestamp: event.timestamp ?? toTime(),
        });
      } catch (error) {
        return drop(1, error);
      }
      if (text.length > MAX_CHARACTERS) return drop(1, "An event is too large");
      const { length } = queued;
      queued.push(text);
      if (failures > 0) return true;
      if (queued.length >= batchSize) void flush();
      // Other events follow with the next batch, or after the current request.
      else if (length === 0) timer.set(flushIntervalMs, flush);
      return true;
    },
    drop,
    flush,
    flushBeforeUnload,
    async close() {
      await flush();
      timer.clear();
      failures = 0;
      const left = queued.length;
      queued = [];
      if (left > 0) drop(left, "The queue was closed");
    },
  };
}

/** Creates the function that reports lost events; it returns false. */
export function createDrop({ logger, onDrop }: Pick<EventQueueOptions, "logger" | "onDrop">): EventQueue["drop"] {
  return (count, reason) => {
    const error = reason instanceof Error ? reason : new Error(String(reason));
    logger?.warn(`${count} events were lost: ${error.message}`);
    onDrop?.(count, error);
    return false;
  };
}
