import type { Connection } from "./connection.ts";
import type { backOff, readRetryAfter, Timer } from "./delay.ts";

/** The server's heartbeat comes every 15 s: a connection that is silent for longer is dead. */
const SILENCE = 45_000;
/** Counts as this many failures, so that a server without streams, or a rejected key, rarely gets requests. */
const HOPELESS = 10;
/** How often to retry for announced definitions, in case another node of the server answered. */
const LOOK_AGAIN = 5;
const LOOK_AGAIN_AFTER = 250;

/** Definitions that follow the server's announcements. */
export interface Follower {
  /** The current version, as the server announces it; undefined if there is none, or it is unknown. */
  version(): string | undefined;
  /** Fetches the announced version, unless the last fetch has failed and will be retried anyway. Never rejects. */
  refresh(announced?: string): Promise<void>;
  /**
   * The state that a stream shares with a source; passed as a parameter, so that bundlers may load the two separately.
   */
  tools: {
    exchange: Connection["exchange"];
    createTimer: () => Timer;
    backOff: typeof backOff;
    readRetryAfter: typeof readRetryAfter;
  };
}

/**
 * Follows a stream of server-sent events, and fetches definitions when the server announces a change. Reconnects after
 * every break, until the signal aborts.
 */
export function followChanges({ version, refresh, tools }: Follower, signal: AbortSignal): void {
  let announcements = 0;

  /**
   * Fetches because the server has announced a version, or because it may have: its version is unknown, or the stream
   * was lost and could not be reopened at once.
   */
  async function catchUp(announced?: string): Promise<void> {
    const announcement = ++announcements;
    await refresh(announced);
    // The current request may have left before the change.
    for (let looked = 0; looked < LOOK_AGAIN; looked++) {
      if (announced === undefined || [announced, undefined].includes(version())) return;
      await pause(LOOK_AGAIN_AFTER * 2 ** looked);
      if (signal.aborted || announcement !== announcements) return;
      await refresh(announced);
    }
  }

  function pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = tools.createTimer();
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

  /** Reads until the connection breaks. */
  async function read(reader: ReadableStreamDefaultReader<Uint8Array>, onBytes: () => void): Promise<void> {
    const decoder = new TextDecoder();
    for (let text = ""; ; ) {
      onBytes();
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (text + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/);
      text = blocks.pop() ?? "";
      for (const block of blocks) if (/^data:/m.test(block)) void catchUp(/^id: ?(.*)$/m.exec(block)?.[1]);
    }
  }

  /** Listens for as long as possible; returns the server's answer if that is not a stream. */
  async function attempt(): Promise<Response | undefined> {
    const ending = new AbortController();
    const end = () => ending.abort();
    const silence = tools.createTimer();
    const lose = () => {
      end();
      void catchUp();
    };
    const wait = () => silence.set(SILENCE, lose);
    signal.addEventListener("abort", end);
    try {
      wait();
      const id = version();
      const headers: Record<string, string> = { accept: "text/event-stream" };
      if (id !== undefined) headers["last-event-id"] = id;
      const response = await tools.exchange({ path: "/openfeature/stream", headers }, ending.signal);
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
      if (status >= 400 && status < 500 && status !== 429) failures = HOPELESS;
      // A connection that lasted for a while counts as good, however it ended.
      failures = Date.now() - startedAt > SILENCE ? 1 : failures + 1;
      await pause(tools.backOff(failures, tools.readRetryAfter(headers)));
    }
  }

  void run();
}
