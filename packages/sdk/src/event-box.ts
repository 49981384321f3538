import type { JsonValue } from "@assay/core";
import { type ApiResponse, type Connection, type ConnectionOptions, toConnectionError } from "./connection.ts";
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

/** The events that wait to be sent, as JSON with an id and a time, so that resending them does not count twice. */
export interface EventBox {
  /** The sender removes events that the server has accepted or refused. */
  waiting: string[];
  /** Adds one event. Returns false if the box is full. Never throws and never waits. */
  push(event: TrackingEvent): boolean;
  /** Reports lost events; returns false. */
  drop(count: number, reason: unknown): false;
  /**
   * Sends events in one request, and takes none of them out.
   * @throws ConnectionError without a response
   */
  post(events: readonly string[], keepalive: boolean): Promise<ApiResponse>;
  // The code that a sender shares with a poller: passed here, so that bundlers may load the two separately.
  createTimer: typeof createTimer;
  retryDelay: typeof retryDelay;
  toConnectionError: typeof toConnectionError;
}

/** Bodies are limited to 1 MB of UTF-8, and a character takes three bytes at most. */
const MAX_CHARACTERS = 300_000;

/** The options of the queue alone, with their checks. */
export const QUEUE_OPTIONS = { capacity: COUNT, batchSize: COUNT, flushIntervalMs: DURATION, onDrop: FUNCTION };

/**
 * Creates an empty box: the part of a queue that takes events.
 * @param onPush called after each new event
 * @param within prefix of the options' names in errors, if they are nested
 * @throws OptionError if an option is invalid
 */
export function createEventBox(
  options: EventQueueOptions,
  connection: Pick<Connection, "request">,
  onPush: () => void,
  within?: string,
): EventBox {
  const { capacity = 10_000, now = Date.now } = options;
  checkOptions(options, QUEUE_OPTIONS, within);
  const toTime = () => new Date(now()).toISOString();
  const drop = createDrop(options);
  const box: EventBox = {
    waiting: [],
    push(event) {
      if (box.waiting.length >= capacity) return drop(1, `The queue is full (${capacity} events)`);
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
      box.waiting.push(text);
      onPush();
      return true;
    },
    drop,
    createTimer,
    retryDelay,
    toConnectionError,
    post(events, keepalive) {
      // With the sending time, the server corrects the events' times for a wrong clock.
      const body = `{"sent_at":"${toTime()}","events":[${events}]}`;
      return connection.request({
        path: "/tracking/events",
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
        keepalive,
      });
    },
  };
  return box;
}

/** Creates the function that reports lost events; it returns false. */
export function createDrop({ logger, onDrop }: Pick<EventQueueOptions, "logger" | "onDrop">): EventBox["drop"] {
  return (count, reason) => {
    const error = reason instanceof Error ? reason : new Error(String(reason));
    logger?.warn(`${count} events were lost: ${error.message}`);
    onDrop?.(count, error);
    return false;
  };
}
