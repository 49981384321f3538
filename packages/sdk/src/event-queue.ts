import { createConnection } from "./connection.ts";
import { createEventBox, type EventBox, type EventQueueOptions } from "./event-box.ts";
import { createEventSender, type EventSender } from "./event-sender.ts";

/** Sends tracking events in batches, in the background. */
export interface EventQueue extends Pick<EventBox, "push" | "drop">, Omit<EventSender, "schedule"> {
  /** The number of queued events. */
  readonly size: number;
}

/**
 * Creates an event queue.
 * @param within prefix of the options' names in errors, if they are nested
 * @throws OptionError if an option is invalid
 */
export function createEventQueue(
  options: EventQueueOptions,
  connection = createConnection(options),
  within?: string,
): EventQueue {
  const box = createEventBox(options, connection, () => schedule(), within);
  const { schedule, ...sender } = createEventSender(box, options);
  return {
    ...sender,
    push: box.push,
    drop: box.drop,
    get size() {
      return box.waiting.length;
    },
  };
}
