import { keyOf, listAll, type Operation, prefixOf, type Store } from "@assay/store";
import type { Runtime } from "../runtime.ts";
import type { Companion } from "./document.ts";
import { parseBytes, toBytes } from "./json.ts";

/**
 * Follow-up work of a change, such as sending notifications. Stored in the batch of the change until it is done, by the
 * node that made the change or, if that is gone, by another one.
 */
export interface Errands<T> {
  /** Adds an errand, written with its change. */
  leave(errand: T): Companion;
  /** Performs leftover errands: failed ones and those of dead nodes. */
  sweep(): Promise<void>;
  /** Resolves once no errand is in progress. */
  settled(): Promise<void>;
}

/**
 * Writes the results of an errand and, in the same batch, removes it or stores what is left of it. Returns false if
 * another node was faster: nothing is written, and nothing is left to do.
 */
export type Settle<T> = (operations: Operation[], left?: T) => Promise<boolean>;

const PAGE = 100;

/**
 * Two nodes may perform the same errand at once; only one settles it.
 *
 * @param name the kind of errands, which prefixes their storage keys
 * @param perform performs one errand, parsed from JSON; on failure the errand is kept
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
