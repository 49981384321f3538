/** One server-sent event. `data` is sent as JSON. */
export interface ServerSentEvent {
  /** @default "message" */
  event?: string;
  /** The id a reader sends in `Last-Event-ID` when it reconnects. */
  id?: string;
  data: unknown;
}

/** A stream of server-sent events to one reader. */
export interface EventStream {
  readonly response: Response;
  /** Whether the reader lags behind. `onDrain` fires when it has caught up. */
  readonly isFull: boolean;
  send(bytes: Uint8Array): void;
  /** Sends an empty comment, so that proxies do not close the idle connection. */
  beat(): void;
  /** Ends the stream. Does nothing if it has ended. */
  close(): void;
}

export interface EventStreamOptions {
  /** Milliseconds until a reader reconnects. @default 2000 */
  retryMs?: number;
  /** The `Last-Event-ID` of the reader until it receives another id. */
  id?: string;
  /** The reader can take more events. */
  onDrain?(): void;
  /** The stream has ended, on either side. Called once. */
  onEnd?(): void;
}

/** Bytes queued for one reader before it counts as full. */
const QUEUE_BYTES = 16_384;

const encoder = new TextEncoder();
const BEAT = encoder.encode(":\n\n");

/** Encodes an event for the wire, once for all readers. */
export function encodeEvent({ event, id, data }: ServerSentEvent): Uint8Array {
  const name = event === undefined ? "" : `event: ${event}\n`;
  const place = id === undefined ? "" : `id: ${id}\n`;
  return encoder.encode(`${name}${place}data: ${JSON.stringify(data)}\n\n`);
}

/** Opens a stream of server-sent events. A full stream queues further events, so check `isFull` first. */
export function createEventStream({ retryMs = 2000, id, onDrain, onEnd }: EventStreamOptions = {}): EventStream {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const end = () => {
    if (!controller) return;
    controller = undefined;
    onEnd?.();
  };
  const body = new ReadableStream<Uint8Array>(
    {
      start(started) {
        controller = started;
        // Browsers remember an id without data but fire no event.
        controller.enqueue(encoder.encode(`retry: ${retryMs}\n${id === undefined ? "" : `id: ${id}\n`}\n`));
      },
      pull: () => onDrain?.(),
      cancel: end,
    },
    new ByteLengthQueuingStrategy({ highWaterMark: QUEUE_BYTES }),
  );
  const stream: EventStream = {
    // `X-Accel-Buffering` keeps proxies from buffering events.
    response: new Response(body, { headers: { "Content-Type": "text/event-stream", "X-Accel-Buffering": "no" } }),
    get isFull() {
      return (controller?.desiredSize ?? 0) <= 0;
    },
    send: (bytes) => controller?.enqueue(bytes),
    beat() {
      if (!stream.isFull) controller?.enqueue(BEAT);
    },
    close() {
      controller?.close();
      end();
    },
  };
  return stream;
}
