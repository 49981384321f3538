import type { IncomingMessage, ServerResponse } from "node:http";
import { sendNodeResponse, toNodeHandler } from "srvx/node";

type Fetch = (request: Request) => Response | Promise<Response>;
type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

/** A listener for `node:http`, and a middleware for Express and its kin. */
export type NodeHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next?: (error?: unknown) => void,
) => void;

interface ParsedMessage extends IncomingMessage {
  /** What a body parser in front of us has left: the parsed body, and the bytes where it keeps them. */
  body?: unknown;
  rawBody?: Uint8Array | string;
}

/**
 * Serves requests of `node:http`. Behind a body parser such as `express.json()` the stream is already read, so the body
 * is made again from `rawBody`, or from the parsed `body`. Given `next`, requests that are not for `owns` go on to it.
 */
export function createNodeHandler(fetch: Fetch, owns: (path: string) => boolean): NodeHandler {
  // srvx also speaks HTTP/2 and types its listener for both at once.
  const handle = toNodeHandler(fetch) as Listener;
  return (request, response, next) => {
    if (next && !owns((request.url ?? "/").split("?", 1)[0]!)) return next();
    if (!isConsumed(request)) return void handle(request, response);
    Promise.resolve(fetch(toRequest(request)))
      .then((answer) => sendNodeResponse(response, answer))
      .catch((error: unknown) => (next ? next(error) : response.destroy()));
  };
}

function isConsumed(request: ParsedMessage): boolean {
  return request.readableEnded || (request.body !== undefined && request.complete && request.readableLength === 0);
}

/** A web request with the body that a parser took: its bytes where they were kept, else the parsed value again. */
function toRequest(message: ParsedMessage): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(message.headers)) {
    for (const one of Array.isArray(value) ? value : [value ?? ""]) headers.append(name, one);
  }
  // These described the body as it was sent, not the one made again.
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
