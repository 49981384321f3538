import type { IncomingMessage } from "node:http";
import type { ServerRequest } from "srvx";
import { type Awaitable, andThen } from "../ground/awaitable.ts";
import { ApiError, badRequest } from "../ground/errors.ts";
import { MAX_BODY_BYTES, tooLarge } from "./body-size.ts";
import { type BodyForms, parseBody } from "./parse-body.ts";

/** How long a request body may take to arrive, in milliseconds. */
const BODY_DEADLINE_MS = 30_000;

/** Reads request bodies, each of at most {@link MAX_BODY_BYTES} and within the deadline. */
export interface Bodies {
  /** Empty if there is none. @throws ApiError 413 if it is larger, 408 if it is late, 400 if the client aborts */
  bytes(request: Request): Awaitable<Uint8Array>;
  /** A JSON body, or another form that the route accepts. Undefined if it is empty. @throws ApiError 400, 408, 413, 415 */
  value(request: Request, forms?: BodyForms): Awaitable<unknown>;
}

/**
 * Creates the error for a client that disconnected or sent invalid HTTP. The client will not receive the response, and
 * this is not a server error.
 */
const incomplete = () => badRequest("Request body ended early");

/**
 * Creates the 408 for a body that arrives slowly or not at all. It closes the connection, so that clients cannot hold
 * connections with bodies that never end.
 */
const tooSlow = (deadlineMs: number) =>
  new ApiError(408, `Request body did not arrive within ${deadlineMs / 1000} s; send the request again`, {
    Connection: "close",
  });

/**
 * Creates the reader of bodies.
 *
 * @param deadlineMs how long a body may take to arrive after its headers, in milliseconds
 * @throws TypeError if the deadline is not a positive number
 */
export function createBodies(deadlineMs = BODY_DEADLINE_MS): Bodies {
  if (!(deadlineMs > 0)) throw new TypeError("bodyDeadlineMs must be a positive number of milliseconds");
  function bytes(request: Request): Awaitable<Uint8Array> {
    const message = unreadMessage(request);
    if (!message) return readStream(request, deadlineMs);
    return isBuffered(message) ? take(message) : collect(message, deadlineMs);
  }
  return {
    bytes,
    value: (request, forms) =>
      andThen(bytes(request), (read) => (read.byteLength === 0 ? undefined : parseBody(read, request, forms))),
  };
}

/**
 * Whether the whole body has arrived. The body of a small request arrives in one packet with its headers, and is read
 * at once, without the four listeners of `collect`. `pnpm bench --only=http` shows the cost of a request.
 */
function isBuffered(message: IncomingMessage): boolean {
  const { readableLength, destroyed } = message;
  return readableLength > 0 && !destroyed && readableLength === Number(message.headers["content-length"]);
}

function take(message: IncomingMessage): Uint8Array {
  const bytes = message.read() as Uint8Array;
  // The parser has not yet read the end, and node:http waits for it.
  if (!message.complete) message.resume();
  return bytes;
}

/**
 * Returns the `node:http` message behind a request if its body is unread. Reading the message directly costs a fraction
 * of reading a web stream. Returns undefined if the host has read the body or set its own limit; then use the stream of
 * the request.
 */
function unreadMessage(request: Request): IncomingMessage | undefined {
  const node = (request as ServerRequest).runtime?.node;
  if (!node || ("maxRequestBodySize" in node && node.maxRequestBodySize !== undefined)) return undefined;
  const message = node.req as IncomingMessage;
  return message.readableFlowing === null && !message.readableEnded ? message : undefined;
}

function collect(message: IncomingMessage, deadlineMs: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    // Its `close` event already fired.
    if (message.destroyed) return reject(incomplete());
    const chunks: Uint8Array[] = [];
    let size = 0;
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      onOver();
    }, deadlineMs).unref();
    function onData(chunk: Uint8Array): void {
      size += chunk.byteLength;
      if (size > MAX_BODY_BYTES) onOver();
      else chunks.push(chunk);
    }
    /** Called on end, abort, excess size or the deadline, whichever comes first. */
    function onOver(): void {
      clearTimeout(timer);
      message.off("data", onData).off("end", onOver).off("error", onOver).off("close", onOver);
      if (isLate) {
        message.pause();
        reject(tooSlow(deadlineMs));
      } else if (size > MAX_BODY_BYTES) {
        discard(message, deadlineMs);
        reject(tooLarge());
      } else if (!message.readableEnded) reject(incomplete());
      else resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size));
    }
    message.on("data", onData).on("end", onOver).on("error", onOver).on("close", onOver);
  });
}

/** Ignores the rest of a body. Closes the connection if the body does not end in time. */
function discard(message: IncomingMessage, deadlineMs: number): void {
  const timer = setTimeout(() => message.destroy(), deadlineMs).unref();
  message.resume().once("close", () => clearTimeout(timer));
}

function readStream(request: Request, deadlineMs: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const late = new AbortController();
    const timer = setTimeout(() => {
      late.abort();
      reject(tooSlow(deadlineMs));
    }, deadlineMs).unref();
    collectStream(request, late.signal)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}

async function collectStream(request: Request, late: AbortSignal): Promise<Uint8Array> {
  if (!request.body) return new Uint8Array();
  // The declared length is already checked, so the reader of the runtime cannot exceed it.
  if (request.headers.has("content-length")) return new Uint8Array(await request.arrayBuffer());
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > MAX_BODY_BYTES) throw tooLarge();
    // Leaving the loop cancels the stream. The 408 is on its way.
    if (late.aborted) break;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
