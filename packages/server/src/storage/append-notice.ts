import type { Store } from "@assay/store";

/** A store that also tells, in this process, when something was appended to one of its journals. */
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
