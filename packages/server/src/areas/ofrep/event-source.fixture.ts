import { readEvents } from "../../event-reader.fixture.ts";

type Listener = (event: { data?: string; lastEventId?: string }) => void;

/** The part of a browser's EventSource that providers use; Node has none. */
export class TestEventSource {
  static readonly CLOSED = 2;
  /** Number of sources that have reached their server. */
  static opened = 0;
  readonly url: string;
  readyState = 0;
  onopen: Listener | null = null;
  onmessage: Listener | null = null;
  onerror: Listener | null = null;
  readonly #abort = new AbortController();
  readonly #listeners = new Map<string, Set<Listener>>();

  constructor(url: string | URL) {
    this.url = String(url);
    void this.#run();
  }

  addEventListener(type: string, listener: Listener): void {
    this.#listeners.set(type, (this.#listeners.get(type) ?? new Set()).add(listener));
  }

  removeEventListener(type: string, listener: Listener): void {
    this.#listeners.get(type)?.delete(listener);
  }

  close(): void {
    this.readyState = TestEventSource.CLOSED;
    this.#abort.abort();
  }

  #tell(type: "open" | "message" | "error", event: Parameters<Listener>[0] = {}): void {
    this[`on${type}`]?.(event);
    for (const listener of this.#listeners.get(type) ?? []) listener(event);
  }

  async #run(): Promise<void> {
    try {
      const response = await fetch(this.url, { signal: this.#abort.signal });
      if (response.status !== 200) throw new Error(String(response.status));
      this.readyState = 1;
      TestEventSource.opened++;
      this.#tell("open");
      const events = readEvents(response);
      for (let event = await events.next(); event; event = await events.next()) {
        this.#tell("message", { data: JSON.stringify(event.data), lastEventId: event.id ?? "" });
      }
    } catch {}
    if (this.readyState === TestEventSource.CLOSED) return;
    this.readyState = TestEventSource.CLOSED;
    this.#tell("error");
  }
}
