import type { Analyst } from "./analyst.ts";
import { fromParts } from "./parts.ts";
import { startThread } from "./thread.ts";
import type { WorkerAnswer, WorkerCall } from "./worker.ts";

interface Pending {
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/**
 * Starts an analyst in a worker thread.
 * @throws Error if worker threads are not available
 */
export async function startWorkerAnalyst(): Promise<Analyst> {
  const worker = startThread();
  const pending = new Map<number, Pending>();
  let next = 0;
  let failure: Error | null = null;

  const fail = (error: Error) => {
    failure ??= error;
    for (const { reject } of pending.values()) reject(error);
    pending.clear();
    // An idle thread does not keep the process alive.
    worker.unref();
  };
  await new Promise<void>((resolve, reject) => {
    worker.once("message", () => resolve());
    worker.once("error", reject);
    worker.once("exit", (code) => reject(new Error(`The analysis thread ended with code ${code} before it was ready`)));
  });
  worker.on("error", fail);
  worker.on("exit", (code) => fail(new Error(`The analysis thread ended with code ${code}`)));
  worker.on("message", (answer: WorkerAnswer) => {
    if (answer === "ready") return;
    const call = pending.get(answer.id);
    pending.delete(answer.id);
    if (pending.size === 0) worker.unref();
    if ("error" in answer) call?.reject(new Error(answer.error));
    else call?.resolve("parted" in answer ? fromParts(answer.parted) : answer.value);
  });
  worker.unref();

  return {
    ask(method, ...parameters) {
      if (failure) return Promise.reject(failure);
      return new Promise((resolve, reject) => {
        const id = next++;
        // The answer has the method's type: the thread runs the same methods.
        pending.set(id, { resolve: resolve as (value: unknown) => void, reject });
        worker.ref();
        worker.postMessage({ id, method, parameters } satisfies WorkerCall, buffersOf(parameters));
      });
    },
    async close() {
      fail(new Error("The analysis thread was closed"));
      await worker.terminate();
    },
  };
}

/** Lists the buffers to transfer instead of copying: chunks and records read only for the thread. */
function buffersOf(parameters: readonly unknown[]): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  const visit = (value: unknown): void => {
    if (value instanceof Uint8Array) {
      // Small ones may be views of a buffer that Node shares.
      const { buffer } = value;
      if (buffer instanceof ArrayBuffer && buffer.byteLength === value.byteLength) buffers.add(buffer);
    } else if (Array.isArray(value)) value.forEach(visit);
    else if (typeof value === "object" && value !== null && "record" in value) visit(value.record);
  };
  parameters.forEach(visit);
  return [...buffers];
}
