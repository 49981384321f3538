import type { ServerResponse } from "node:http";
import { FastResponse } from "srvx";

/** The body of a response: a text, or its bytes in UTF-8. Bytes that are sent again and again are not encoded again. */
export type Body = string | Buffer;

/** The parts of a response as `node:http` takes them. */
interface Parts {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Body | null;
}

/** Properties of a response, because reading a body from a response of srvx makes the response slower to send. */
const BODY = Symbol("body");
const PARTS = Symbol("parts");

type WithBody = Response & { [BODY]?: Body };

/**
 * A response that keeps its parts, so that {@link sendParts} writes them to the socket as they are. srvx copies the
 * headers into a list in lowercase, and sends the body and its end in two writes: a tenth of the time of an evaluation
 * over HTTP (`pnpm bench --only=http`).
 */
class PreparedResponse extends FastResponse {
  [PARTS]: Parts | null = null;

  /** Whoever reads the headers may change them. */
  override get headers(): Headers {
    this[PARTS] = null;
    return super.headers;
  }
}

/** Creates a response. @param body null for none, such as with 204 and 304 */
export function prepareResponse(status: number, headers: Record<string, string>, body: Body | null): Response {
  const response: WithBody = create(status, headers, body);
  response[BODY] = body ?? "";
  return response;
}

function create(status: number, headers: Record<string, string>, body: Body | null): Response {
  const init = { status, headers };
  // It extends `Response`, unless the host has replaced the global class since.
  if (!(FastResponse.prototype instanceof Response)) return new Response(body as BodyInit, init);
  const response = new PreparedResponse(body as BodyInit, init);
  response[PARTS] = { status, headers, body };
  return response;
}

/** Returns the length of a body in bytes; null if it is not known before the body is sent. */
export function bodyLength(response: Response): number | null {
  const body = (response as WithBody)[BODY];
  if (body !== undefined) return Buffer.byteLength(body);
  return response.body === null ? 0 : null;
}

/** Sends a prepared response that nobody has changed. Returns false for every other one. */
export function sendParts(response: Response, to: ServerResponse): boolean {
  const parts = (response as { [PARTS]?: Parts | null })[PARTS];
  if (!parts || to.headersSent || to.req.httpVersionMajor > 1) return false;
  const { status, headers, body } = parts;
  const list: string[] = [];
  for (const name in headers) list.push(name.toLowerCase(), headers[name]!);
  if (body === null) to.writeHead(status, list).end();
  else {
    list.push("content-length", String(Buffer.byteLength(body)));
    to.writeHead(status, list).end(body);
  }
  return true;
}
