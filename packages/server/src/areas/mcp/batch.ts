import { setImmediate as nextTurn } from "node:timers/promises";
import { MAX_RESPONSE_BYTES } from "../../http/response-limit.ts";

/** Maximum number of messages per request. */
export const MAX_MESSAGES = 20;
/** The JSON-RPC code "Invalid Request". */
const INVALID_REQUEST = -32_600;

/** Rejects a whole batch, which has no id. */
export function refuseBatch(message: string): Response {
  const body = { jsonrpc: "2.0", id: null, error: { code: INVALID_REQUEST, message } };
  return Response.json(body, { status: 400 });
}

/**
 * Answers the messages of one request sequentially. Only one answer is built at a time, and together they are no larger
 * than the response to any other request.
 *
 * @param toError creates the error of a refused message
 */
export function createTurns(toError: (message: string) => Error, limit = MAX_RESPONSE_BYTES) {
  let last: Promise<unknown> = Promise.resolve();
  let left = limit;

  async function answer<T>(perform: () => Promise<T>): Promise<T> {
    // The protocol library dispatches all messages at once. Yields to other requests.
    await nextTurn();
    if (left <= 0) throw toError(`Not executed: the responses to this batch exceed ${limit} bytes`);
    const result = await perform();
    await nextTurn();
    left -= Buffer.byteLength(JSON.stringify(result));
    if (left < 0) throw toError(`Executed, but the responses to this batch exceed ${limit} bytes`);
    return result;
  }

  return <T>(perform: () => Promise<T>): Promise<T> => {
    const turn = last.then(() => answer(perform));
    last = turn.catch(() => {});
    return turn;
  };
}
