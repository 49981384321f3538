import type { Store } from "@assay/store";

/** Wraps a store to report appends to a journal made in this process. */
export function withAppendNotice(store: Store, journal: string, onAppend: () => void): Store {
  return {
    ...store,
    async batch(operations) {
      const result = await store.batch(operations);
      if (result.ok && operations.some((one) => one.type === "append" && one.journal === journal)) onAppend();
      return result;
    },
  };
}
