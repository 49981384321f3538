import type { ServerResponse } from "node:http";
import { FastResponse } from "srvx";

/** The body of a response: a text, or its bytes in UTF-8. Bytes that are sent again and again are not encoded again. */
export type Body = string | Buffer;

/** The parts of a response as `node:http` takes them. As options of a `Response`, they join headers and type once read. */
class Parts {
  readonly status: number;
  readonly own: Readonly<Record<string, string>>;
  readonly type: string | undefined;
  readonly body: Body | null;

  constructor(status: number, own: Record<string, string>, type: string | undefined, body: Body | null) {
    this.status = status;
    this.own = own;
    this.type = type;
    this.body = body;
  }

  get headers(): Record<string, string> {
    return this.type === undefined ? { ...this.own } : { ...this.own, "Content-Type": this.type };
  }
}

/** Properties of a response, because reading a body from a response of srvx makes the response slower to send. */
const BODY = Symbol("body");
const PARTS = Symbol("parts");

type WithBody = Response & { [BODY]?: Body };

/**
 * A response that keeps its parts, so that {@link sendParts} writes them to the socket as they are. srvx joins
 * headers and type in one object, copies them into a list, and waits for the end of each response by a promise. `pnpm bench
 * --only=http` shows the cost of a request.
 */
class PreparedResponse extends FastResponse {
  [PARTS]: Parts | null = null;

  /** The caller may change the headers, after which the parts are out of date. */
  override get headers(): Headers {
    this[PARTS] = null;
    return super.headers;
  }
}

/**
 * Creates a response.
 * @param body null for none, such as with 204 and 304
 * @param type the media type of the body
 */
export function prepareResponse(
  status: number,
  headers: Record<string, string>,
  body: Body | null,
  type?: string,
): Response {
  const response: WithBody = create(new Parts(status, headers, type, body));
  response[BODY] = body ?? "";
  return response;
}

function create(parts: Parts): Response {
  const body = parts.body as BodyInit | null;
  // It extends `Response`, unless the host has replaced the global class since.
  if (!(FastResponse.prototype instanceof Response)) return new Response(body, parts);
  const response = new PreparedResponse(body, parts);
  response[PARTS] = parts;
  return response;
}

/** Returns the length of a body in bytes; null if it is not known before the body is sent. */
export function bodyLength(response: Response): number | null {
  const body = (response as WithBody)[BODY];
  if (body !== undefined) return Buffer.byteLength(body);
  return response.body === null ? 0 : null;
}

/** Sends a prepared response whose headers were not read. Returns false for every other one. */
export function sendParts(response: Response, to: ServerResponse): boolean {
  const parts = (response as { [PARTS]?: Parts | null })[PARTS];
  if (!parts || to.headersSent || to.req.httpVersionMajor > 1) return false;
  const { status, own, type, body } = parts;
  const list: string[] = [];
  for (const name in own) list.push(name.toLowerCase(), own[name]!);
  if (type !== undefined) list.push("content-type", type);
  if (body === null) to.writeHead(status, list).end();
  else {
    const length = Buffer.byteLength(body);
    list.push("content-length", String(length));
    // A text of ASCII characters has the same bytes in Latin-1, which Node copies instead of converting.
    to.writeHead(status, list).end(body, length === body.length ? "latin1" : "utf8");
  }
  return true;
}
