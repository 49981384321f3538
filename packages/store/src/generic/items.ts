import { StoreUnavailable } from "../store.ts";
import { describeSystemError } from "../system-error.ts";
import type { KeyValueStorage } from "./storage.ts";

/** Texts by id in an unstorage `Storage`; ids are keys made by `keyOf`. */
export interface Items {
  /** Returns the text of an item; null if it is missing. A value that is not text is damaged and reads as "". */
  read(id: string): Promise<string | null>;
  write(id: string, text: string): Promise<void>;
  remove(id: string): Promise<void>;
  ids(): Promise<string[]>;
}

const PARENT = ",";
const LEAF = "@";

/**
 * Creates the items under one base of a storage. The key of a folder ends in `,` and that of an item in `@`. So the
 * file `a` and the folder of `a/b` do not collide, and no driver or file system treats a name specially.
 */
export function createItems(storage: KeyValueStorage, base: string): Items {
  const start = `${base}:`;
  const itemOf = (id: string) => `${start}${id.split("/").join(`${PARENT}:`)}${LEAF}`;
  const attempt = async <T>(verb: string, what: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (cause) {
      const reason = `The storage could not ${verb}: ${describeSystemError(cause) ?? "its driver failed"}`;
      throw new StoreUnavailable(`The storage could not ${verb} ${what}: ${String(cause)}`, { cause, reason });
    }
  };
  return {
    read: (id) =>
      attempt("read", id, async () => {
        const value: unknown = await storage.getItem(itemOf(id));
        // If reading fails, the fs driver returns the error as if it were the value.
        if (value instanceof Error) throw value;
        return typeof value === "string" ? value : value === null || value === undefined ? null : "";
      }),
    write: (id, text) => attempt("write", id, () => storage.setItem(itemOf(id), text)),
    remove: (id) => attempt("remove", id, () => storage.removeItem(itemOf(id))),
    ids: () =>
      attempt("list", "its keys", async () => {
        const keys = await storage.getKeys(base);
        return keys.flatMap((key) =>
          key.startsWith(start) && key.endsWith(LEAF)
            ? [key.slice(start.length, -LEAF.length).replaceAll(`${PARENT}:`, "/")]
            : [],
        );
      }),
  };
}
