import { ApiError, badRequest } from "./errors.ts";

/** The most bytes a request body may have. */
export const MAX_BODY_BYTES = 1_048_576;
/** Deeper JSON than any resource of the API needs; keeps recursive checks off the stack's end. */
const MAX_DEPTH = 64;

/** The rest of the body is still on its way, so the connection ends with the answer. */
const tooLarge = () =>
  new ApiError(413, `Request body is larger than ${MAX_BODY_BYTES} bytes`, { Connection: "close" });

/** Refuses by the declared length before anything is read. @throws ApiError 413 */
export function checkDeclaredLength(request: Request): void {
  if (Number(request.headers.get("content-length") ?? 0) > MAX_BODY_BYTES) throw tooLarge();
}

/** Reads a body of at most {@link MAX_BODY_BYTES}; empty where there is none. @throws ApiError 413 */
export async function readBytes(request: Request): Promise<Uint8Array> {
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
  const type = (request.headers.get("content-type") ?? "application/json").split(";")[0]!.trim().toLowerCase();
  if (type === "application/x-www-form-urlencoded" && options.form) {
    return Object.fromEntries(new URLSearchParams(decode(bytes)));
  }
  if (type !== "application/json" && !type.endsWith("+json")) throw unsupported(`content type ${type}`);
  return parseJson(decode(bytes));
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

function parseJson(text: string): unknown {
  if (isDeeperThan(text, MAX_DEPTH)) throw badRequest(`Request body is nested deeper than ${MAX_DEPTH} levels`);
  try {
    // A reviver costs; it is only needed where the one dangerous key can be in the text, escaped or not.
    return /__proto__|\\u00/i.test(text) ? JSON.parse(text, dropPrototype) : JSON.parse(text);
  } catch {
    throw badRequest("Request body is not valid JSON");
  }
}

function dropPrototype(key: string, value: unknown): unknown {
  return key === "__proto__" ? undefined : value;
}

/** Counts brackets outside strings; on text that is no JSON the count does not matter. */
function isDeeperThan(text: string, limit: number): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 34) inString = !inString;
    else if (code === 92) index++;
    else if (inString) continue;
    else if (code === 123 || code === 91) {
      if (++depth > limit) return true;
    } else if (code === 125 || code === 93) depth--;
  }
  return false;
}
