/** The notices inside one process: listeners by channel, which `publish` calls asynchronously. */
export interface Channels {
  publish(channel: string, message: string): void;
  subscribe(channel: string, listener: (message: string) => void): () => void;
  /** Returns whether there are any listeners. */
  isEmpty(): boolean;
}

/** Creates the listeners of one database in this process. `onError` receives the errors of listeners. */
export function createChannels(onError: (error: unknown) => void = () => {}): Channels {
  const channels = new Map<string, Set<{ listener: (message: string) => void }>>();
  return {
    publish(channel, message) {
      for (const subscription of channels.get(channel) ?? []) {
        queueMicrotask(() => {
          if (!channels.get(channel)?.has(subscription)) return;
          try {
            subscription.listener(message);
          } catch (error) {
            onError(error);
          }
        });
      }
    },
    subscribe(channel, listener) {
      const subscription = { listener };
      const subscriptions = channels.get(channel) ?? new Set();
      channels.set(channel, subscriptions.add(subscription));
      return () => {
        subscriptions.delete(subscription);
        if (subscriptions.size === 0 && channels.get(channel) === subscriptions) channels.delete(channel);
      };
    },
    isEmpty: () => channels.size === 0,
  };
}
