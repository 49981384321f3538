import { setImmediate as nextTurn } from "node:timers/promises";
import { MAX_RESPONSE_BYTES } from "../../http/response-limit.ts";

/** The most messages that one request may carry. */
export const MOST_MESSAGES = 20;
/** What JSON-RPC calls a request that is not one. */
const INVALID_REQUEST = -32_600;

/** The refusal of a whole batch, which has no id of its own. */
export function refuseBatch(message: string): Response {
  const body = { jsonrpc: "2.0", id: null, error: { code: INVALID_REQUEST, message } };
  return Response.json(body, { status: 400 });
}

/**
 * Answers the messages of one request one after the other, so that no more than one answer is made at a time, and the
 * answers to all of them together are no larger than the answer to any other request.
 *
 * @param toError makes what a message is refused with
 */
export function createTurns(toError: (message: string) => Error, limit = MAX_RESPONSE_BYTES) {
  let last: Promise<unknown> = Promise.resolve();
  let left = limit;

  async function answer<T>(perform: () => Promise<T>): Promise<T> {
    // The protocol hands over all messages at once; other requests come in between.
    await nextTurn();
    if (left <= 0) throw toError(`Not done: the answers to this batch are larger than ${limit} bytes`);
    const result = await perform();
    left -= Buffer.byteLength(JSON.stringify(result));
    if (left < 0) throw toError(`Done, but with this answer those to the batch are larger than ${limit} bytes`);
    return result;
  }

  return <T>(perform: () => Promise<T>): Promise<T> => {
    const turn = last.then(() => answer(perform));
    last = turn.catch(() => {});
    return turn;
  };
}
