import { keyOf, listAll, type Operation, prefixOf, type Store } from "@assay/store";
import type { Runtime } from "../ground/runtime.ts";
import type { Companion } from "./document.ts";
import { parseBytes, toBytes } from "./json.ts";

/**
 * Follow-up work of a change, such as sending notifications. The batch of the change stores each task until a node has
 * done it: the node that made the change or, if that one dies, another.
 */
export interface Outbox<T> {
  /** Adds a task, written with its change. */
  enqueue(task: T): Companion;
  /** Performs failed tasks and those of dead nodes. */
  sweep(): Promise<void>;
  /** Resolves once no task is in flight. */
  settled(): Promise<void>;
}

/**
 * Writes the results of a task and, in the same batch, removes the task or stores the part that remains. Returns false
 * and writes nothing if another node has settled the task.
 */
export type Settle<T> = (operations: Operation[], left?: T) => Promise<boolean>;

const PAGE = 100;
/** The first part of the keys. Existing stores contain tasks under it, so it must not change. */
const AREA = "errands";

/**
 * Creates an outbox in a store. Two nodes may perform the same task at once, but only one settles it.
 *
 * @param name the kind of tasks, which prefixes their storage keys
 * @param perform performs one task, parsed from JSON; a failed task stays in the store
 */
export function createOutbox<T>(
  { store, runtime }: { store: Store; runtime: Runtime },
  name: string,
  perform: (task: T, settle: Settle<T>) => Promise<void>,
): Outbox<T> {
  const inFlight = new Set<Promise<void>>();

  function begin(key: string, task: T, written: number): Promise<void> {
    let version = written;
    const settle: Settle<T> = async (operations, left) => {
      const own: Operation =
        left === undefined
          ? { type: "delete", key, ifVersion: version }
          : { type: "put", key, value: toBytes(left), ifVersion: version };
      const result = await store.batch([own, ...operations]);
      if (result.ok) version = result.results[0]!;
      return result.ok;
    };
    const running: Promise<void> = perform(task, settle)
      .catch((error: unknown) => runtime.logger.error(`A task is left undone: ${name}`, { error: String(error) }))
      .finally(() => inFlight.delete(running));
    inFlight.add(running);
    return running;
  }

  return {
    enqueue(task) {
      const key = keyOf(AREA, name, runtime.id());
      const value = toBytes(task);
      return {
        operations: [{ type: "put", key, value }],
        begin: () => begin(key, parseBytes<T>(value), 1),
      };
    },
    async sweep() {
      for await (const { key, value, version } of listAll(store, prefixOf(AREA, name), PAGE)) {
        await begin(key, parseBytes<T>(value), version);
      }
    },
    async settled() {
      await Promise.all(inFlight);
    },
  };
}
