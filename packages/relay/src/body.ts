import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { Refusal } from "./ground/refusal.ts";

const MAX_BYTES = 1_048_576;

const unzip = promisify<Uint8Array, { maxOutputLength: number }, Buffer>(gunzip);
const decoder = new TextDecoder("utf-8", { fatal: true });
const tooLarge = () => new Refusal(413, "Request body is larger than 1 MB");

/**
 * Reads a JSON body of at most 1 MB; undefined if it is empty.
 * @param isBulk whether the body may also be NDJSON, which becomes an array, and compressed by gzip
 * @throws Refusal 400, 413, 415
 */
export async function readBody(request: Request, isBulk = false): Promise<unknown> {
  const bytes = await plain(await readBytes(request), request.headers.get("content-encoding"), isBulk);
  if (bytes.length === 0) return undefined;
  const type = (request.headers.get("content-type") ?? "application/json").split(";", 1)[0]!.trim().toLowerCase();
  const isLines = isBulk && type === "application/x-ndjson";
  if (!isLines && type !== "application/json" && !type.endsWith("+json")) {
    throw new Refusal(415, `Unsupported content type ${type}; send application/json`);
  }
  try {
    const text = decoder.decode(bytes);
    return isLines ? text.split("\n").flatMap((line) => (line.trim() ? [JSON.parse(line)] : [])) : JSON.parse(text);
  } catch {
    throw new Refusal(400, "Request body is not valid JSON");
  }
}

/**
 * Does not close the connection of a body that is too large: a client that still sends would get an error of the
 * connection instead of the response. The host discards a body that is not read.
 */
async function readBytes(request: Request): Promise<Buffer> {
  if (Number(request.headers.get("content-length")) > MAX_BYTES) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of request.body ?? []) {
      length += chunk.length;
      if (length <= MAX_BYTES) chunks.push(chunk);
    }
  } catch {
    throw new Refusal(400, "Request body ended early");
  }
  if (length > MAX_BYTES) throw tooLarge();
  return Buffer.concat(chunks);
}

async function plain(bytes: Buffer, encoding: string | null, isBulk: boolean): Promise<Buffer> {
  if (encoding === null || encoding === "identity") return bytes;
  if (encoding !== "gzip" || !isBulk) throw new Refusal(415, `Unsupported content encoding ${encoding}`);
  try {
    return await unzip(bytes, { maxOutputLength: MAX_BYTES });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw tooLarge();
    throw new Refusal(400, "Request body is not valid gzip");
  }
}
