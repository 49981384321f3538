import { fromParts } from "./parts.ts";
import { startThread } from "./thread.ts";
import type { ReaderOptions } from "./thread-options.ts";
import type { WorkerAnswer, WorkerCall, WorkerRole } from "./worker.ts";

type Method = (...parameters: never[]) => unknown;

/** Runs methods, here or in another thread, one at a time and in order. */
export interface Caller<M extends { [K in keyof M]: Method }> {
  ask<K extends keyof M>(method: K, ...parameters: Parameters<M[K]>): Promise<ReturnType<M[K]>>;
  close(): Promise<void>;
}

/** Runs methods in this thread. */
export function createInlineCaller<M extends { [K in keyof M]: Method }>(methods: M): Caller<M> {
  return {
    async ask(method, ...parameters) {
      return callMethod(methods, method, parameters);
    },
    async close() {},
  };
}

/** Calls a method by its name. */
export function callMethod<M extends { [K in keyof M]: Method }, K extends keyof M>(
  methods: M,
  method: K,
  parameters: Parameters<M[K]>,
): ReturnType<M[K]> {
  // The compiler cannot infer that a key's function takes that key's parameters.
  const run = methods[method] as (...parameters: Parameters<M[K]>) => ReturnType<M[K]>;
  return run(...parameters);
}

interface Pending {
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/**
 * Starts the methods of a role in a worker thread.
 * @throws Error if worker threads are not available
 */
export async function startCaller<M extends { [K in keyof M]: Method }>(
  role: WorkerRole,
  { threads = 1, keptBytes }: ReaderOptions = {},
): Promise<Caller<M>> {
  const worker = startThread({ role, threads, keptBytes });
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
    worker.once("exit", (code) => reject(new Error(`The thread ended with code ${code} before it was ready`)));
  });
  worker.on("error", fail);
  worker.on("exit", (code) => fail(new Error(`The thread ended with code ${code}`)));
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
        worker.postMessage({ id, method: String(method), parameters } satisfies WorkerCall, buffersOf(parameters));
      });
    },
    async close() {
      fail(new Error("The thread was closed"));
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
    else if (typeof value === "object" && value !== null && "bytes" in value) visit(value.bytes);
  };
  parameters.forEach(visit);
  return [...buffers];
}
