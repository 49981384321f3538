import { createChannels } from "@assay/store";
import type { Client, Connection } from "./connection.ts";
import { unavailable } from "./failure.ts";

/** Notices to every process on the same store, over PUBLISH and SUBSCRIBE. */
export interface Notices {
  publish(channel: string, message: string): Promise<void>;
  /** Resolves as soon as notices arrive. */
  subscribe(channel: string, listener: (message: string) => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/**
 * Creates the notices of a connection. A separate connection subscribes once there are listeners, and again after it
 * was lost: a notice in between is lost too, which the store allows.
 */
export function createNotices(connection: Connection): Notices {
  const channels = createChannels();
  let listening: Promise<Client> | null = null;

  async function listen(): Promise<Client> {
    const subscriber = await connection.subscriber();
    subscriber.on("message", (_topic: string, payload: string) => {
      const [channel, message] = JSON.parse(payload);
      channels.publish(channel, message);
    });
    try {
      await subscriber.subscribe(`${connection.key}:notices`);
    } catch (error) {
      subscriber.disconnect();
      throw unavailable(error);
    }
    return subscriber;
  }

  return {
    async publish(channel, message) {
      await connection.run("publish", JSON.stringify([channel, message]));
    },
    async subscribe(channel, listener) {
      const current = listening ?? listen();
      listening = current;
      await current.catch((error: unknown) => {
        if (listening === current) listening = null;
        throw error;
      });
      const unsubscribe = channels.subscribe(channel, listener);
      return async () => unsubscribe();
    },
    async close() {
      const subscriber = await listening?.catch(() => null);
      listening = null;
      subscriber?.disconnect();
    },
  };
}
