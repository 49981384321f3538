import type { IncomingMessage } from "node:http";
import type { ServerRequest } from "srvx";
import { type Awaitable, andThen } from "../ground/awaitable.ts";
import { ApiError, badRequest } from "../ground/errors.ts";
import { parseJson } from "./json.ts";

/** Maximum size of a request body in bytes. */
export const MAX_BODY_BYTES = 1_048_576;

/** Creates the 413. It closes the connection, because the rest of the body is still on its way. */
const tooLarge = () =>
  new ApiError(413, `Request body is larger than ${MAX_BODY_BYTES} bytes`, { Connection: "close" });

/**
 * Creates the error for a client that disconnected or sent invalid HTTP. The client will not receive the response, and
 * this is not a server error.
 */
const incomplete = () => badRequest("Request body ended early");

/** Rejects by `Content-Length` before reading the body. @throws ApiError 413 */
export function checkDeclaredLength(request: Request): void {
  if (Number(request.headers.get("content-length") ?? 0) > MAX_BODY_BYTES) throw tooLarge();
}

/**
 * Reads a body of at most {@link MAX_BODY_BYTES}. Empty if there is none.
 * @throws ApiError 413 if it is larger, 400 if the client aborts
 */
export function readBytes(request: Request): Awaitable<Uint8Array> {
  const message = unreadMessage(request);
  if (!message) return readStream(request);
  return isBuffered(message) ? take(message) : collect(message);
}

/**
 * Whether the whole body has arrived. The body of a small request arrives in one packet with its headers, and is read
 * at once, without the four listeners of `collect`. `pnpm --filter @assay/server bench:http` shows the cost of a
 * request.
 */
function isBuffered(message: IncomingMessage): boolean {
  const { readableLength, destroyed } = message;
  return readableLength > 0 && !destroyed && readableLength === Number(message.headers["content-length"]);
}

function take(message: IncomingMessage): Uint8Array {
  const bytes = message.read() as Uint8Array;
  // Its `end` is still to come, and node:http waits for it.
  message.resume();
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

function collect(message: IncomingMessage): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    // Its `close` event already fired.
    if (message.destroyed) return reject(incomplete());
    const chunks: Uint8Array[] = [];
    let size = 0;
    function onData(chunk: Uint8Array): void {
      size += chunk.byteLength;
      if (size > MAX_BODY_BYTES) onOver();
      else chunks.push(chunk);
    }
    /** Called on end, abort or excess size, whichever comes first. */
    function onOver(): void {
      message.off("data", onData).off("end", onOver).off("error", onOver).off("close", onOver);
      if (size > MAX_BODY_BYTES) {
        message.pause();
        reject(tooLarge());
      } else if (!message.readableEnded) reject(incomplete());
      else resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size));
    }
    message.on("data", onData).on("end", onOver).on("error", onOver).on("close", onOver);
  });
}

async function readStream(request: Request): Promise<Uint8Array> {
  if (!request.body) return new Uint8Array();
  // The declared length is already checked, so the reader of the runtime cannot exceed it.
  if (request.headers.has("content-length")) return new Uint8Array(await request.arrayBuffer());
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > MAX_BODY_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Reads a JSON body, or a form if the route accepts one. Undefined if it is empty. @throws ApiError 400, 413, 415 */
export function readBody(request: Request, options: { form?: boolean | undefined } = {}): Awaitable<unknown> {
  return andThen(readBytes(request), (bytes) =>
    bytes.byteLength === 0 ? undefined : parseBody(bytes, request, options),
  );
}

/** Parses a body by its headers. @throws ApiError 400, 415 */
export function parseBody(bytes: Uint8Array, request: Request, options: { form?: boolean | undefined } = {}): unknown {
  const encoding = request.headers.get("content-encoding");
  if (encoding && encoding.toLowerCase() !== "identity") throw unsupported(`content encoding ${encoding}`);
  const type = mediaTypeOf(request.headers.get("content-type") ?? "application/json");
  if (type === "application/x-www-form-urlencoded" && options.form) {
    return Object.fromEntries(new URLSearchParams(decode(bytes)));
  }
  if (type !== "application/json" && !type.endsWith("+json")) throw unsupported(`content type ${type}`);
  return parseJson(decode(bytes));
}

/** Returns the media type without parameters, in lowercase. The first check is a fast path. */
function mediaTypeOf(header: string): string {
  return header === "application/json" ? header : header.split(";", 1)[0]!.trim().toLowerCase();
}

const unsupported = (what: string) => new ApiError(415, `Unsupported ${what}; send application/json`);

const decoder = new TextDecoder("utf-8", { fatal: true });

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw badRequest("Request body is not valid UTF-8");
  }
}
