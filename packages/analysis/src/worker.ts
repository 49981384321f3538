import { parentPort } from "node:worker_threads";
import { type AnalystMethods, callMethod, createAnalystMethods } from "./analyst.ts";
import { type Parted, toParts } from "./parts.ts";

/** One call, as sent to the thread. */
export interface WorkerCall {
  id: number;
  method: keyof AnalystMethods;
  parameters: unknown[];
}

/** The result of a call. The first message of the thread is `ready`. */
export type WorkerAnswer =
  | "ready"
  | { id: number; value: unknown }
  | { id: number; parted: Parted }
  | { id: number; error: string };

// The thread that owns the columns: ten million events are read and summed here, so evaluation never waits.
const port = parentPort;
if (port) {
  const methods = createAnalystMethods();
  port.on("message", ({ id, method, parameters }: WorkerCall) => {
    try {
      const value: unknown = callMethod(methods, method, parameters as Parameters<AnalystMethods[typeof method]>);
      const parted = method === "answer" || method === "find" ? toParts(value) : null;
      if (parted) port.postMessage({ id, parted } satisfies WorkerAnswer, [parted.parts]);
      else port.postMessage({ id, value } satisfies WorkerAnswer);
    } catch (error) {
      port.postMessage({ id, error: error instanceof Error ? error.message : String(error) } satisfies WorkerAnswer);
    }
  });
  port.postMessage("ready" satisfies WorkerAnswer);
}
