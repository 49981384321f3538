/** One server-sent event; `data` goes out as JSON. */
export interface ServerSentEvent {
  /** @default "message" */
  event?: string;
  /** What a reader that comes back names in `Last-Event-ID`. */
  id?: string;
  data: unknown;
}

/** A stream of server-sent events to one reader. */
export interface EventStream {
  readonly response: Response;
  /** Whether the reader has not taken what it was sent; `onDrain` tells when it has. */
  readonly isFull: boolean;
  send(bytes: Uint8Array): void;
  /** Says nothing, so that whatever stands between does not take the connection for dead. */
  beat(): void;
  /** Ends it from our side; nothing for one that has ended. */
  close(): void;
}

export interface EventStreamOptions {
  /** Milliseconds after which a reader should come back. @default 2000 */
  retryMs?: number;
  /** What the reader names in `Last-Event-ID` until it is sent something else. */
  id?: string;
  /** The reader takes more. */
  onDrain?(): void;
  /** The stream has ended, from whichever side; called once. */
  onEnd?(): void;
}

/** Bytes that wait for one reader before it counts as full. */
const QUEUE_BYTES = 16_384;

const encoder = new TextEncoder();
const BEAT = encoder.encode(":\n\n");

/** An event as it goes over the wire; made once for all readers. */
export function encodeEvent({ event, id, data }: ServerSentEvent): Uint8Array {
  const name = event === undefined ? "" : `event: ${event}\n`;
  const place = id === undefined ? "" : `id: ${id}\n`;
  return encoder.encode(`${name}${place}data: ${JSON.stringify(data)}\n\n`);
}

/** Opens a stream of server-sent events. What is sent to a full one is kept, so ask `isFull` first. */
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
        // An id without data is no event, but it is remembered.
        controller.enqueue(encoder.encode(`retry: ${retryMs}\n${id === undefined ? "" : `id: ${id}\n`}\n`));
      },
      pull: () => onDrain?.(),
      cancel: end,
    },
    new ByteLengthQueuingStrategy({ highWaterMark: QUEUE_BYTES }),
  );
  const stream: EventStream = {
    // `X-Accel-Buffering` keeps a proxy from collecting events before it passes them on.
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
