import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Awaitable } from "../ground/awaitable.ts";
import { ApiError, badRequest } from "../ground/errors.ts";
import { MAX_BODY_BYTES, tooLarge } from "./body-size.ts";
import { parseJson, parseJsonLines } from "./json.ts";

/** The forms of a body that a route accepts besides JSON. */
export interface BodyForms {
  /** Form-encoded. */
  form?: boolean | undefined;
  /** NDJSON, and each form compressed by gzip. */
  bulk?: boolean | undefined;
}

const NDJSON = "application/x-ndjson";
const FORM = "application/x-www-form-urlencoded";

/**
 * Parses a body by its headers. NDJSON becomes an array.
 * @throws ApiError 400, 413 if it is too large when decompressed, 415
 */
export function parseBody(bytes: Uint8Array, request: Request, forms: BodyForms = {}): Awaitable<unknown> {
  const encoding = request.headers.get("content-encoding")?.toLowerCase();
  if (!encoding || encoding === "identity") return parseText(decode(bytes), request, forms);
  if (encoding === "gzip" && forms.bulk) {
    return decompress(bytes).then((plain) => parseText(decode(plain), request, forms));
  }
  throw unsupported(`content encoding ${encoding}`, forms.bulk ? "gzip or no encoding" : "no encoding");
}

function parseText(text: string, request: Request, { form, bulk }: BodyForms): unknown {
  const type = mediaTypeOf(request.headers.get("content-type") ?? "application/json");
  if (type === FORM && form) return Object.fromEntries(new URLSearchParams(text));
  if (type === NDJSON && bulk) return parseJsonLines(text);
  if (type === "application/json" || type.endsWith("+json")) return parseJson(text);
  throw unsupported(`content type ${type}`, bulk ? `application/json or ${NDJSON}` : "application/json");
}

const unzip = promisify<Uint8Array, { maxOutputLength: number }, Buffer>(gunzip);

/** Decompresses at most {@link MAX_BODY_BYTES}, outside the main thread. */
async function decompress(bytes: Uint8Array): Promise<Uint8Array> {
  try {
    return await unzip(bytes, { maxOutputLength: MAX_BODY_BYTES });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw tooLarge();
    throw badRequest("Request body is not valid gzip");
  }
}

/** Returns the media type without parameters, in lowercase. The first check is a fast path. */
function mediaTypeOf(header: string): string {
  return header === "application/json" ? header : header.split(";", 1)[0]!.trim().toLowerCase();
}

const unsupported = (what: string, instead: string) => new ApiError(415, `Unsupported ${what}; send ${instead}`);

const decoder = new TextDecoder("utf-8", { fatal: true });

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw badRequest("Request body is not valid UTF-8");
  }
}
