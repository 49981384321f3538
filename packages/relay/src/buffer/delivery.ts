import { EventsAnswer, MAX_EVENTS } from "@assay/contract";
import { type Connection, ConnectionError } from "@assay/sdk";
import { createTimer, retryDelay } from "@assay/sdk/internal";
import type { Settings } from "../ground/option.ts";
import { connectAs, detailOf, parse } from "../ground/upstream.ts";
import type { EventBuffer } from "./buffer.ts";
import type { Sender } from "./record.ts";

/** Sends buffered events to the upstream, in order. */
export interface Delivery {
  /** Sends what is buffered. Does nothing while it is sending or waits for the next attempt. */
  wake(): void;
  /** Events that the upstream has refused since the start, such as those of a revoked CLIENT key. */
  readonly rejected: number;
  /** Stops. What was not delivered stays in the buffer. */
  close(): Promise<void>;
}

/** The upstream accepts 1 MB. */
const MAX_BYTES = 900_000;
/** Senders whose connections are kept. */
const MAX_CONNECTIONS = 1_000;

export function createDelivery(settings: Settings, connection: Connection, buffer: EventBuffer): Delivery {
  const { logger, now } = settings;
  const ending = new AbortController();
  const timer = createTimer();
  const connections = new Map<string, Connection>();
  let failures = 0;
  let rejected = 0;
  let running: Promise<void> | undefined;

  /** Events of CLIENT keys keep their key, because the upstream checks what such a key reports. */
  function connectionOf(sender: Sender | null): Connection {
    if (!sender) return connection;
    const name = JSON.stringify(sender);
    let known = connections.get(name);
    if (!known) {
      if (connections.size >= MAX_CONNECTIONS) connections.clear();
      known = connectAs(settings, sender.key, sender.origin);
      connections.set(name, known);
    }
    return known;
  }

  function refuse(count: number, reason: string): void {
    rejected += count;
    logger.warn(`The upstream refused ${count} ${count === 1 ? "event" : "events"}: ${reason}`);
  }

  /** @throws ConnectionError if a later attempt may succeed */
  async function send(events: object[], sender: Sender | null): Promise<void> {
    const response = await connectionOf(sender).request(
      {
        path: "/tracking/events",
        method: "POST",
        headers: { "content-type": "application/json" },
        // The upstream corrects the times by the difference of the clocks.
        body: JSON.stringify({ sent_at: new Date(now()).toISOString(), events }),
      },
      ending.signal,
    );
    const { status } = response;
    const answer = status < 300 ? EventsAnswer.safeParse(parse(response.text)) : undefined;
    if (answer?.success) {
      const { rejected, errors } = answer.data;
      if (rejected > 0) refuse(rejected, `${errors[0]?.msg}`);
      return;
    }
    const detail = detailOf(response);
    // Only the relay's own key is worth waiting for: anyone can send events with a CLIENT key, which pages contain.
    if (detail !== undefined && sender && (status === 401 || status === 403)) return refuse(events.length, detail);
    // Anything else, such as the 404 of a proxy, is no answer to these events.
    if (detail === undefined || ![400, 413, 422].includes(status)) {
      throw new ConnectionError(`The upstream answered ${status}`, response);
    }
    if (events.length === 1) return refuse(1, detail);
    // One event must not take the others with it.
    const half = Math.ceil(events.length / 2);
    await send(events.slice(0, half), sender);
    await send(events.slice(half), sender);
  }

  async function run(): Promise<void> {
    try {
      for (let batch = await buffer.oldest(); batch; batch = await buffer.oldest()) {
        for (const events of toRequests(batch.events)) await send(events, batch.sender);
        await buffer.forget(batch);
        if (failures > 0) logger.warn("The upstream accepts events again");
        failures = 0;
        if (ending.signal.aborted) return;
      }
    } catch (error) {
      if (ending.signal.aborted) return;
      if (++failures === 1) logger.warn(`Events wait for the upstream: ${(error as Error).message}`);
      timer.set(retryDelay(failures, (error as Partial<ConnectionError>).retryAfter), start);
    }
  }

  function start(): void {
    running ??= run().finally(() => {
      running = undefined;
      // Events may have arrived since the last look.
      if (failures === 0 && buffer.status.buffered > 0 && !ending.signal.aborted) start();
    });
  }

  return {
    wake() {
      if (failures === 0) start();
    },
    get rejected() {
      return rejected;
    },
    async close() {
      timer.clear();
      ending.abort(new Error("The relay is closing"));
      await running;
    },
  };
}

/** Divides events into parts that a request may contain. */
function toRequests(events: object[]): object[][] {
  const requests: object[][] = [];
  let bytes = Infinity;
  for (const event of events) {
    const more = Buffer.byteLength(JSON.stringify(event)) + 1;
    if (bytes + more > MAX_BYTES || requests.at(-1)!.length === MAX_EVENTS) {
      requests.push([]);
      bytes = 0;
    }
    requests.at(-1)!.push(event);
    bytes += more;
  }
  return requests;
}
