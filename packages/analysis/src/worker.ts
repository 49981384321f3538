import { parentPort, workerData } from "node:worker_threads";
import { createAnalystMethods } from "./analyst.ts";
import { createExporterMethods } from "./exporter.ts";
import { type Parted, toParts } from "./parts.ts";
import { createReaderMethods } from "./reader.ts";
import { callMethod } from "./thread-caller.ts";

/** What a thread does: it owns all columns and answers questions, reads what questions need, or writes a file of events. */
export type WorkerRole = "analyst" | "reader" | "exporter";

/** One call, as sent to the thread. */
export interface WorkerCall {
  id: number;
  method: string;
  parameters: unknown[];
}

/** The result of a call. The first message of the thread is `ready`. */
export type WorkerAnswer =
  | "ready"
  | { id: number; value: unknown }
  | { id: number; parted: Parted }
  | { id: number; error: string };

type AnyMethods = Record<string, (...parameters: never[]) => unknown>;

const ROLES: Record<WorkerRole, () => AnyMethods> = {
  analyst: () => ({ ...createAnalystMethods() }),
  reader: () => ({ ...createReaderMethods() }),
  exporter: () => ({ ...createExporterMethods() }),
};

// Long work is here, so evaluation never waits: ten million events are read and summed, or encoded and written.
const port = parentPort;
if (port) {
  const methods = ROLES[workerData as WorkerRole]();
  port.on("message", ({ id, method, parameters }: WorkerCall) => {
    try {
      const value: unknown = callMethod(methods, method, parameters as never[]);
      const parted = method === "answer" || method === "find" ? toParts(value) : null;
      if (parted) port.postMessage({ id, parted } satisfies WorkerAnswer, [parted.parts]);
      else port.postMessage({ id, value } satisfies WorkerAnswer);
    } catch (error) {
      port.postMessage({ id, error: error instanceof Error ? error.message : String(error) } satisfies WorkerAnswer);
    }
  });
  port.postMessage("ready" satisfies WorkerAnswer);
}
