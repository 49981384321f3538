import { setImmediate as nextTurn } from "node:timers/promises";
import { MessageChannel, type MessagePort, receiveMessageOnPort } from "node:worker_threads";

/** The maximum time in milliseconds that the receiving thread copies parts before other work has its turn. */
const SLICE_MS = 10;

/** An answer whose longest list waits at a port: copying a large answer at once would block the receiving thread. */
export interface Parted {
  /** The answer with an empty list. */
  frame: object;
  /** The field that has the list; null where the answer is the list. */
  list: string | null;
  /** Has all members of the list, in order. */
  parts: MessagePort;
}

/** Splits an answer, to be posted together with its port; null if it has no list of objects. */
export function toParts(answer: unknown): Parted | null {
  if (typeof answer !== "object" || answer === null) return null;
  if (Array.isArray(answer)) return answer.length > 1 ? { frame: [], list: null, parts: postAll(answer) } : null;
  const lists = Object.entries(answer).filter(([, value]) => Array.isArray(value) && typeof value[0] === "object");
  const [longest] = lists.sort(([, a], [, b]) => b.length - a.length);
  if (!longest || longest[1].length < 2) return null;
  const [list, items] = longest;
  return { frame: { ...answer, [list]: [] }, list, parts: postAll(items) };
}

/** Assembles an answer from its parts, in slices. */
export async function fromParts({ frame, list, parts }: Parted): Promise<unknown> {
  const items: unknown[] = [];
  let began = performance.now();
  for (let part = receiveMessageOnPort(parts); part; part = receiveMessageOnPort(parts)) {
    items.push(part.message);
    if (performance.now() - began < SLICE_MS) continue;
    await nextTurn();
    began = performance.now();
  }
  parts.close();
  return list === null ? items : { ...frame, [list]: items };
}

function postAll(items: readonly unknown[]): MessagePort {
  const { port1, port2 } = new MessageChannel();
  for (const item of items) port1.postMessage(item);
  return port2;
}
