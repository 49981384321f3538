import type { TrackingEvent } from "./event-box.ts";
import type { EventQueue } from "./event-queue.ts";

/** Milliseconds between two looks at a full queue. */
const LOOK_MS = 20;

export interface PushAllOptions {
  /**
   * The number of queued events from which it waits. At most the queue's `capacity`, beyond which events are lost.
   * @default 1000
   */
  atMost?: number;
  /** Ends the waiting. */
  signal?: AbortSignal;
}

/**
 * Queues events no faster than the server takes them, so that none is lost because the queue is full: while it is, the next
 * event is not read. It waits for as long as the server is away. Resolves when all are queued; `close` sends the rest.
 *
 * @returns the number of events
 * @throws the reason of the signal
 */
export async function pushAll(
  queue: Pick<EventQueue, "size" | "push">,
  events: Iterable<TrackingEvent> | AsyncIterable<TrackingEvent>,
  { atMost = 1_000, signal }: PushAllOptions = {},
): Promise<number> {
  let count = 0;
  for await (const event of events) {
    // The queue decides when it sends again: after the Retry-After of the server, or its own back-off.
    while (queue.size >= atMost) {
      signal?.throwIfAborted();
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    signal?.throwIfAborted();
    queue.push(event);
    count++;
  }
  return count;
}
