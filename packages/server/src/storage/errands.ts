import { keyOf, listAll, type Operation, prefixOf, type Store } from "@assay/store";
import type { Runtime } from "../runtime.ts";
import type { Companion } from "./document.ts";
import { parseBytes, toBytes } from "./json.ts";

/**
 * What a change leaves to be done, such as telling people of it: kept in the store from the change's own batch on until
 * it is done, by the node that made the change or, where that is gone, by another one.
 */
export interface Errands<T> {
  /** Leaves one, to be written with what it comes of. */
  leave(errand: T): Companion;
  /** Does what is left over: of nodes that are gone, and what failed. */
  sweep(): Promise<void>;
  /** Resolves once nothing is under way any more. */
  settled(): Promise<void>;
}

/**
 * Writes what comes of an errand, and in the same batch that it is done, or what is left of it. False where another node
 * was faster: then nothing is written, and nothing is left to do.
 */
export type Settle<T> = (operations: Operation[], left?: T) => Promise<boolean>;

const PAGE = 100;

/**
 * Two nodes may be at the same errand at once; only one settles it.
 *
 * @param name what they are about; each kind has names of its own
 * @param perform does one, as JSON brings it back; it stays where this fails
 */
export function createErrands<T>(
  { store, runtime }: { store: Store; runtime: Runtime },
  name: string,
  perform: (errand: T, settle: Settle<T>) => Promise<void>,
): Errands<T> {
  const underWay = new Set<Promise<void>>();

  function begin(key: string, errand: T, written: number): Promise<void> {
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
    const running: Promise<void> = perform(errand, settle)
      .catch((error: unknown) => runtime.logger.error(`An errand is left undone: ${name}`, { error: String(error) }))
      .finally(() => underWay.delete(running));
    underWay.add(running);
    return running;
  }

  return {
    leave(errand) {
      const key = keyOf("errands", name, runtime.id());
      const value = toBytes(errand);
      return {
        operations: [{ type: "put", key, value }],
        begin: () => begin(key, parseBytes<T>(value), 1),
      };
    },
    async sweep() {
      for await (const { key, value, version } of listAll(store, prefixOf("errands", name), PAGE)) {
        await begin(key, parseBytes<T>(value), version);
      }
    },
    async settled() {
      await Promise.all(underWay);
    },
  };
}
