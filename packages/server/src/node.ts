import type { IncomingMessage, ServerResponse } from "node:http";
import { NodeRequest, sendNodeResponse } from "srvx/node";
import { type Awaitable, andThen, orElse } from "./ground/awaitable.ts";
import { sendParts } from "./http/prepared-response.ts";

type Answer = (request: Request) => Awaitable<Response>;

/**
 * A listener for `node:http`, and a middleware for Express and similar frameworks. Resolves after the response, because
 * h3 1 and Koa otherwise answer themselves: h3 1 with an empty 204.
 */
export type NodeHandler = (request: IncomingMessage, response: ServerResponse, next?: NextFunction) => Promise<void>;

type NextFunction = (error?: unknown) => void;

interface ParsedMessage extends IncomingMessage {
  /** Set by an earlier body parser: the parsed body, and the raw bytes if it keeps them. */
  body?: unknown;
  rawBody?: Uint8Array | string;
}

/**
 * Handles `node:http` requests. A body parser such as `express.json()` consumes the stream, so this rebuilds the body
 * from `rawBody` or from the parsed `body`. With `next`, passes requests on that do not match `owns`.
 */
export function createNodeHandler(answer: Answer, owns: (path: string) => boolean): NodeHandler {
  function handle(request: ParsedMessage, response: ServerResponse, next: NextFunction | undefined): Awaitable<void> {
    const asked = isConsumed(request) ? toRequest(request) : new NodeRequest({ req: request, res: response });
    return orElse<void>(
      () => andThen(answer(asked), (ready) => send(ready, response)),
      (error) => (next ? next(error) : void response.destroy()),
    );
  }

  return async (request, response, next) => {
    if (next && !owns((request.url ?? "/").split("?", 1)[0]!)) return next();
    if (isArriving(request)) await new Promise<void>((resolve) => process.nextTick(resolve));
    await handle(request, response, next);
  };
}

function send(answer: Response, to: ServerResponse): Awaitable<void> {
  if (!sendParts(answer, to)) return sendNodeResponse(to, answer);
}

/**
 * Whether a body may still be in the packet of its headers. The parser reads it before the next tick, and then the whole
 * request is answered without a promise. `pnpm bench --only=http` shows the cost of a request.
 */
function isArriving({ complete, method }: IncomingMessage): boolean {
  return !complete && method !== "GET" && method !== "HEAD";
}

function isConsumed(request: ParsedMessage): boolean {
  return request.readableEnded || (request.body !== undefined && request.complete && request.readableLength === 0);
}

/** Returns a web request with a parsed body: its raw bytes if kept, otherwise the parsed value serialized again. */
function toRequest(message: ParsedMessage): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(message.headers)) {
    for (const one of Array.isArray(value) ? value : [value ?? ""]) headers.append(name, one);
  }
  // These headers describe the original body, not the rebuilt one.
  for (const name of ["content-length", "content-encoding", "transfer-encoding"]) headers.delete(name);
  const method = message.method ?? "GET";
  const scheme = "encrypted" in message.socket ? "https" : "http";
  const url = new URL(message.url ?? "/", `${scheme}://${message.headers.host ?? "localhost"}`);
  const hasBody = method !== "GET" && method !== "HEAD" && message.body !== undefined;
  const request = new Request(url, { method, headers, body: hasBody ? bodyOf(message, headers) : null });
  Object.defineProperty(request, "ip", { value: message.socket.remoteAddress });
  return request;
}

function bodyOf({ rawBody, body }: ParsedMessage, headers: Headers): BodyInit {
  if (rawBody !== undefined) return typeof rawBody === "string" ? rawBody : new Uint8Array(rawBody);
  if (typeof body === "string") return body;
  if (body instanceof Uint8Array) return new Uint8Array(body);
  if (headers.get("content-type")?.startsWith("application/x-www-form-urlencoded")) {
    return new URLSearchParams(body as Record<string, string>).toString();
  }
  return JSON.stringify(body);
}
