import type { Connection, EventQueue, EventQueueOptions } from "@assay/sdk";
import { createEventBox } from "@assay/sdk/internal";
import type { EventSender } from "@assay/sdk/sender";

/** The event queue of a page. */
export type PageQueue = Pick<EventQueue, "push" | "drop" | "flushBeforeUnload" | "close">;

/**
 * Creates the event queue of a page. The code that sends events is loaded with the first one; if that fails, it is loaded
 * with the next one. If loading fails, or the page is left before, events are sent without it, and stay in the queue: the
 * server counts no event twice.
 * @throws OptionError if an option is invalid
 */
export function createPageQueue(options: EventQueueOptions, connection: Connection): PageQueue {
  const box = createEventBox(options, connection, () => sender.schedule(), "tracking.");
  let loading: Promise<void> | undefined;
  // The number of events that were sent without the sender.
  let posted = 0;
  let sender: Omit<EventSender, "flush"> = {
    schedule() {
      loading ??= load();
    },
    flushBeforeUnload() {
      // One by one, because a browser refuses those that are too large for the 64 kB of a page.
      for (; posted < box.waiting.length; posted++) box.post([box.waiting[posted]!], true).catch(() => {});
    },
    async close() {},
  };

  async function load(): Promise<void> {
    try {
      const { createEventSender } = await import("@assay/sdk/sender");
      sender = createEventSender(box, options);
      sender.schedule(true);
    } catch (error) {
      options.logger?.warn(`Sending failed: ${error}`);
      loading = undefined;
      sender.flushBeforeUnload();
    }
  }

  return {
    push: box.push,
    drop: box.drop,
    flushBeforeUnload: () => sender.flushBeforeUnload(),
    async close() {
      await loading;
      await sender.close();
    },
  };
}
