import type { Connection } from "./connection.ts";
import type { readRetryAfter, retryDelay } from "./retry.ts";
import type { createTimer } from "./timer.ts";

/** The maximum silence of a connection in milliseconds. The server sends a heartbeat every 15 s. */
const SILENCE_MS = 45_000;
/** The number of failures that a server without streams, or a rejected key, counts as, so that requests become rare. */
const PERMANENT_FAILURES = 10;
/** The maximum number of fetches of an announced version, in case another node of the server responds. */
const MAX_POLLS = 5;
const POLL_AGAIN_MS = 250;
/** The longest pause that the `retry` field of a stream can request. */
const MAX_RETRY_MS = 60_000;

/** A poller as its stream uses it. */
export interface Follower {
  /** Returns the current version, as the server announces it; undefined if there is none, or it is unknown. */
  version(): string | undefined;
  /** Fetches the announced version, unless the last fetch has failed and will be retried anyway. Never rejects. */
  refresh(announced?: string): Promise<void>;
  // The code that a stream shares with a poller: passed here, so that bundlers may load the two separately.
  fetch: Connection["fetch"];
  createTimer: typeof createTimer;
  retryDelay: typeof retryDelay;
  readRetryAfter: typeof readRetryAfter;
}

/**
 * Follows a stream of server-sent events, and fetches definitions when the server announces a change. Reconnects after
 * every break, until the signal aborts.
 */
export function followChanges(
  { version, refresh, fetch, createTimer, retryDelay, readRetryAfter }: Follower,
  signal: AbortSignal,
): void {
  let announcements = 0;
  // Milliseconds that the server wants between two connections.
  let retryMs = 0;

  /**
   * Fetches after an announcement, or if one may have been missed: the version is unknown, or the stream broke and
   * could not be reopened immediately.
   */
  async function catchUp(announced?: string): Promise<void> {
    const announcement = ++announcements;
    await refresh(announced);
    // The current request may have left before the change.
    for (let polls = 0; polls < MAX_POLLS; polls++) {
      if (announced === undefined || [announced, undefined].includes(version())) return;
      await pause(POLL_AGAIN_MS * 2 ** polls);
      if (signal.aborted || announcement !== announcements) return;
      await refresh(announced);
    }
  }

  function pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = createTimer();
      const end = () => {
        timer.clear();
        signal.removeEventListener("abort", end);
        resolve();
      };
      signal.addEventListener("abort", end);
      timer.set(milliseconds, end);
      if (signal.aborted) end();
    });
  }

  /**
   * Reads until the connection breaks. Not with eventsource-parser: its 1.4 kB do not fit the size limits of pages.
   */
  async function read(reader: ReadableStreamDefaultReader<Uint8Array>, onBytes: () => void): Promise<void> {
    const decoder = new TextDecoder();
    for (let text = ""; ; ) {
      onBytes();
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (text + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/);
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const [, retry = retryMs] = /^retry: ?(\d+)$/m.exec(block) ?? [];
        retryMs = Math.min(+retry, MAX_RETRY_MS);
        if (/^data:/m.test(block)) void catchUp(/^id: ?(.*)$/m.exec(block)?.[1]);
      }
    }
  }

  /** Listens until the stream ends. Returns the server's response if it is not a stream. */
  async function attempt(): Promise<Response | undefined> {
    const ending = new AbortController();
    const end = () => ending.abort();
    const silence = createTimer();
    const lose = () => {
      end();
      void catchUp();
    };
    const wait = () => silence.set(SILENCE_MS, lose);
    signal.addEventListener("abort", end);
    try {
      wait();
      const id = version();
      const headers: Record<string, string> = { accept: "text/event-stream" };
      if (id !== undefined) headers["last-event-id"] = id;
      const response = await fetch({ path: "/openfeature/stream", headers }, ending.signal);
      if (response.status !== 200 || !response.body) {
        await response.body?.cancel();
        return response;
      }
      // A client without a version may have missed a change.
      if (id === undefined) void catchUp();
      const reader = response.body.getReader();
      // A server in this process does not receive the signal.
      ending.signal.addEventListener("abort", () => void reader.cancel().catch(() => {}));
      await read(reader, wait);
      return undefined;
    } finally {
      silence.clear();
      signal.removeEventListener("abort", end);
    }
  }

  async function run(): Promise<void> {
    for (let failures = 0; !signal.aborted; ) {
      // A fetch shows whether the server is reachable.
      if (failures === 2) void catchUp();
      const startedAt = Date.now();
      let refusal: Response | undefined;
      try {
        refusal = await attempt();
        if (!refusal) failures = 0;
      } catch {
        // A connection that was lost or never made: retry.
      }
      const { status = 0, headers } = refusal ?? {};
      if (/^4(?!29)/.test(`${status}`)) failures = PERMANENT_FAILURES;
      // A connection that lasted for a while counts as good, however it ended.
      failures = Date.now() - startedAt > SILENCE_MS ? 1 : failures + 1;
      await pause(retryMs + retryDelay(failures, readRetryAfter(headers)));
    }
  }

  void run();
}
