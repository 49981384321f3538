import type { IncomingMessage } from "node:http";
import type { ServerRequest } from "srvx";
import { ApiError, badRequest } from "../errors.ts";
import { parseJson } from "./json.ts";

/** The most bytes a request body may have. */
export const MAX_BODY_BYTES = 1_048_576;

/** The rest of the body is still on its way, so the connection ends with the answer. */
const tooLarge = () =>
  new ApiError(413, `Request body is larger than ${MAX_BODY_BYTES} bytes`, { Connection: "close" });

/** The client has gone or sent what is no HTTP: an answer reaches nobody, and the server has done nothing wrong. */
const incomplete = () => badRequest("Request body ended early");

/** Refuses by the declared length before anything is read. @throws ApiError 413 */
export function checkDeclaredLength(request: Request): void {
  if (Number(request.headers.get("content-length") ?? 0) > MAX_BODY_BYTES) throw tooLarge();
}

/**
 * Reads a body of at most {@link MAX_BODY_BYTES}; empty where there is none.
 * @throws ApiError 413 where it is larger, 400 where the client breaks it off
 */
export function readBytes(request: Request): Promise<Uint8Array> {
  const message = unreadMessage(request);
  return message ? collect(message) : readStream(request);
}

/**
 * The message of `node:http` that a request stands for, as long as nobody has begun to read it. Bytes taken straight from it
 * cost a fraction of those that go through a web stream. Where the host has looked at the body, or has set a limit of its own,
 * the request's own stream is what is left to read.
 */
function unreadMessage(request: Request): IncomingMessage | undefined {
  const node = (request as ServerRequest).runtime?.node;
  if (!node || ("maxRequestBodySize" in node && node.maxRequestBodySize !== undefined)) return undefined;
  const message = node.req as IncomingMessage;
  return message.readableFlowing === null && !message.readableEnded ? message : undefined;
}

function collect(message: IncomingMessage): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    // Its `close` has been, and does not come again.
    if (message.destroyed) return reject(incomplete());
    const chunks: Uint8Array[] = [];
    let size = 0;
    function onData(chunk: Uint8Array): void {
      size += chunk.byteLength;
      if (size > MAX_BODY_BYTES) onOver();
      else chunks.push(chunk);
    }
    /** It has ended, is too large or is broken off, whichever comes first. */
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
  // A declared length has been checked already, so the runtime's own reader cannot be made to take more.
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

/** Reads a JSON body, or a form where the route takes one; undefined where it is empty. @throws ApiError 400, 413, 415 */
export async function readBody(request: Request, options: { form?: boolean | undefined } = {}): Promise<unknown> {
  const bytes = await readBytes(request);
  return bytes.byteLength === 0 ? undefined : parseBody(bytes, request, options);
}

/** What the bytes of a body say, by the headers that came with them. @throws ApiError 400, 415 */
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

/** Without parameters, in small letters; most senders write it like that. */
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
