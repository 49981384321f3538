import { type ConnectionOptions, createExchange, toConnectionError } from "./connection.ts";
import { backOff, createTimer } from "./delay.ts";

/** The server's heartbeat comes every 15 s: a connection that is silent for longer is dead. */
const SILENCE = 45_000;
/** Counted as that many failures, so that a server without streams, or a rejected key, is seldom asked. */
const HOPELESS = 10;

/** Hears from the server that definitions have changed, over one long answer of server-sent events. */
export interface ChangeStream {
  /** Listens, and connects again after every break, until the signal aborts. */
  listen(signal: AbortSignal): void;
}

/**
 * Creates a change stream; inert until `listen`.
 *
 * @param known the version of the definitions there are; the server says on connecting whether it has newer ones
 * @param onChange called with the version of the server's definitions where it has others, and with undefined where that
 * is worth asking: without a version, or because the stream was lost and not to be had again at once
 * @throws OptionError where an option is not of its kind.
 */
export function createChangeStream(
  options: ConnectionOptions,
  known: () => string | undefined,
  onChange: (version: string | undefined) => void,
): ChangeStream {
  const exchange = createExchange(options);

  async function connect(signal: AbortSignal): Promise<ReadableStreamDefaultReader<Uint8Array>> {
    const id = known();
    const headers: Record<string, string> = { accept: "text/event-stream" };
    if (id !== undefined) headers["last-event-id"] = id;
    const response = await exchange("/openfeature/stream", { headers, signal });
    if (response.status !== 200 || !response.body) {
      throw toConnectionError({ status: response.status, headers: response.headers, text: await response.text() });
    }
    // Whoever cannot say what it has may have missed something.
    if (id === undefined) onChange(undefined);
    return response.body.getReader();
  }

  /** Reads until the connection breaks. */
  async function read(reader: ReadableStreamDefaultReader<Uint8Array>, onBytes: () => void): Promise<void> {
    const decoder = new TextDecoder();
    for (let text = ""; ; ) {
      onBytes();
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (text + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/);
      text = blocks.pop() ?? "";
      for (const block of blocks) if (/^data:/m.test(block)) onChange(/^id: ?(.*)$/m.exec(block)?.[1]);
    }
  }

  async function attempt(outer: AbortSignal): Promise<void> {
    const controller = new AbortController();
    const silence = createTimer();
    const end = () => controller.abort();
    const lose = () => {
      end();
      onChange(undefined);
    };
    const wait = () => silence.set(SILENCE, lose);
    outer.addEventListener("abort", end);
    try {
      wait();
      const reader = await connect(controller.signal);
      // A server in this process does not see the signal.
      controller.signal.addEventListener("abort", () => void reader.cancel().catch(() => {}));
      await read(reader, wait);
    } finally {
      silence.clear();
      outer.removeEventListener("abort", end);
    }
  }

  async function run(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted; ) {
      // Whether the server is gone shows with a fetch.
      if (failures === 2) onChange(undefined);
      const startedAt = Date.now();
      let retryAfter: number | undefined;
      try {
        await attempt(signal);
        failures = 0;
      } catch (error) {
        const { status = 0, retryAfter: asked } = Object(error) as { status?: number; retryAfter?: number };
        retryAfter = asked;
        if (status >= 400 && status < 500 && status !== 429) failures = HOPELESS;
      }
      // One that held for a while was good, however it ended.
      failures = Date.now() - startedAt > SILENCE ? 1 : failures + 1;
      await pause(backOff(failures, retryAfter), signal);
    }
  }

  return {
    listen(signal) {
      void run(signal);
    },
  };
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = createTimer();
    const end = () => {
      timer.clear();
      signal.removeEventListener("abort", end);
      resolve();
    };
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
    else timer.set(milliseconds, end);
  });
}
