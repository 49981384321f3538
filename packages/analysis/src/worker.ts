import { parentPort, workerData } from "node:worker_threads";
import { createAnalystMethods } from "./analyst.ts";
import { employ, type HelperPost, serveAsHelper } from "./crew.ts";
import { createExporterMethods } from "./exporter-methods.ts";
import { reclaim } from "./memory.ts";
import { type Parted, toParts } from "./parts.ts";
import { createReaderMethods } from "./reader.ts";
import { callMethod } from "./thread-caller.ts";
import type { ReaderOptions } from "./thread-options.ts";

/** What a thread does: it owns all columns and answers questions, reads what questions need, or writes a file of events. */
export type WorkerRole = "analyst" | "reader" | "exporter";

/** What a thread is started with. An analyst shares its work with others, so many threads in all; a helper is one of them. */
export type WorkerData =
  | { role: WorkerRole; threads: number; keptBytes?: number | undefined }
  | { role: "helper"; post: HelperPost };

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

const ROLES: Record<WorkerRole, (options: ReaderOptions) => AnyMethods> = {
  analyst: () => ({ ...createAnalystMethods() }),
  reader: ({ keptBytes }) => ({ ...createReaderMethods(keptBytes) }),
  exporter: () => ({ ...createExporterMethods() }),
};

// Long work is here, so evaluation never waits: ten million events are read and summed, or encoded and written.
const port = parentPort;
const data = workerData as WorkerData;
if (port && data.role === "helper") serveAsHelper(data.post);
else if (port && data.role !== "helper") {
  employ(data.threads);
  const methods = ROLES[data.role](data);
  port.on("message", ({ id, method, parameters }: WorkerCall) => {
    try {
      const value: unknown = callMethod(methods, method, parameters as never[]);
      const parted = method === "answer" || method === "find" ? toParts(value) : null;
      if (parted) port.postMessage({ id, parted } satisfies WorkerAnswer, [parted.parts]);
      else port.postMessage({ id, value } satisfies WorkerAnswer);
    } catch (error) {
      port.postMessage({ id, error: error instanceof Error ? error.message : String(error) } satisfies WorkerAnswer);
    } finally {
      reclaim();
    }
  });
  port.postMessage("ready" satisfies WorkerAnswer);
}
