import { type Connection, ConnectionError, toConnectionError } from "./connection.ts";
import type { Format, ProviderOutline } from "./format.ts";

/**
 * Fetches flags once, with a conditional request. A 304 resolves as well.
 *
 * @param etag of the current definitions, if they may stay as they are
 * @param onNew receives new definitions, with the ETag and the body of the response
 * @param announced the version that a stream has announced
 * @throws ConnectionError on failure, and the signal's reason once it aborts
 */
export async function fetchFlags<D extends ProviderOutline>(
  connection: Connection,
  { toRequest, parse }: Pick<Format<D>, "toRequest" | "parse">,
  etag: string | null | undefined,
  onNew: (definitions: D, etag: string | null, body: string) => void,
  signal?: AbortSignal,
  announced?: string,
): Promise<void> {
  const request = toRequest(announced);
  if (etag) request.headers["if-none-match"] = etag;
  const response = await connection.request(request, signal);
  // The signal may have aborted since the last byte.
  if (signal?.aborted) throw signal.reason;
  const { status, headers, text } = response;
  if (status === 304 && etag) return;
  if (status !== 200) throw toConnectionError(response);
  try {
    // Only a body that was accepted may be skipped next time.
    onNew(parse(text), headers.get("etag"), text);
  } catch (cause) {
    throw new ConnectionError(`Invalid response: ${cause}`, { cause });
  }
}
