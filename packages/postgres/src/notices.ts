import { setTimeout as wait } from "node:timers/promises";
import { createChannels } from "@assay/store";
import type { Connection, Session } from "./connection.ts";

/** Notices to every process on the same schema, over LISTEN and NOTIFY. */
export interface Notices {
  publish(channel: string, message: string): Promise<void>;
  /** Resolves as soon as notices arrive. */
  subscribe(channel: string, listener: (message: string) => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

const RETRY_MS = 500;

/**
 * Creates the notices of a connection. It holds a session while there are subscriptions, and listens again after that
 * was lost: a notice in between is lost too, which the store allows.
 */
export function createNotices(connection: Connection, name: string): Notices {
  const channels = createChannels();
  const topic = `assay ${name}`;
  let listening: Promise<Session> | null = null;
  let isClosed = false;

  const listen = async (): Promise<Session> => {
    const session = await connection.session();
    session.on("notification", ({ payload }) => {
      const [channel, message] = JSON.parse(payload ?? "[]");
      channels.publish(channel, message);
    });
    const lose = () => {
      if (listening !== current) return;
      listening = null;
      session.release(true);
      void listenAgain();
    };
    session.on("error", lose);
    session.on("end", lose);
    const current = listening;
    await session.query(`LISTEN "${topic}"`).catch((error) => {
      session.release(true);
      throw error;
    });
    return session;
  };

  const start = (): Promise<Session> => {
    const started = listen();
    listening = started;
    started.catch(() => {
      if (listening === started) listening = null;
    });
    return started;
  };

  const listenAgain = async () => {
    while (!isClosed && !listening && !channels.isEmpty()) {
      await start().catch(() => wait(RETRY_MS, undefined, { ref: false }));
    }
  };

  return {
    async publish(channel, message) {
      await connection.query("SELECT pg_notify($1, $2)", [topic, JSON.stringify([channel, message])]);
    },
    async subscribe(channel, listener) {
      await (listening ?? start());
      const unsubscribe = channels.subscribe(channel, listener);
      return async () => unsubscribe();
    },
    async close() {
      isClosed = true;
      const session = await listening?.catch(() => null);
      listening = null;
      session?.release(true);
    },
  };
}
