import { randomUUID } from "node:crypto";
import { createChannels } from "@assay/store";
import type { Environment } from "./environment.ts";
import type { Journals } from "./journals.ts";

/** The journal of notices. Names made by `keyOf` contain no `!`, so no other journal has this name. */
const NOTICES = "!notices";
const POLL_MS = 100;
/** The number of notices to keep: far more than can accumulate between two polls. */
const KEPT = 10_000;

interface Notice {
  from: string;
  channel: string;
  message: string;
}

/** The notices between the processes on one database: immediate in this process, and with the next poll in others. */
export interface Notices {
  publish(channel: string, message: string): Promise<void>;
  subscribe(channel: string, listener: (message: string) => void): () => void;
  close(): void;
}

/** Creates the notices of an environment: a small journal, which this process polls while it has listeners. */
export function createNotices({ write, read }: Environment, journals: Journals): Notices {
  const self = randomUUID();
  const channels = createChannels();
  let seen = 0;
  let timer: ReturnType<typeof setInterval> | undefined;

  const look = () => {
    const head = journals.head(NOTICES);
    if (head === seen) return;
    for (const { record } of journals.read(NOTICES, seen, KEPT)) {
      const notice: Notice = JSON.parse(Buffer.from(record).toString());
      if (notice.from !== self) channels.publish(notice.channel, notice.message);
    }
    seen = head;
  };
  // While LMDB has failed there are no new notices. A later poll delivers those written before.
  const poll = () => void read(look).catch(() => {});
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
  };

  return {
    async publish(channel, message) {
      const notice: Notice = { from: self, channel, message };
      await write(() => {
        const position = journals.head(NOTICES) + 1;
        journals.put(NOTICES, position, Buffer.from(JSON.stringify(notice)));
        journals.setHead(NOTICES, position);
        if (position % 1_000 === 0) journals.trim(NOTICES, position - KEPT);
      });
      channels.publish(channel, message);
    },
    subscribe(channel, listener) {
      if (!timer) {
        seen = journals.head(NOTICES);
        timer = setInterval(poll, POLL_MS);
        timer.unref();
      }
      const unsubscribe = channels.subscribe(channel, listener);
      return () => {
        unsubscribe();
        if (channels.isEmpty()) stop();
      };
    },
    close: stop,
  };
}
