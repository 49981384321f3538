/** Admits any number of readers, or one writer alone, in the order of arrival. */
export interface Gate {
  read<T>(action: () => Promise<T>): Promise<T>;
  write<T>(action: () => Promise<T>): Promise<T>;
}

/** Creates an open gate. */
export function createGate(): Gate {
  let writer: Promise<unknown> = Promise.resolve();
  const readers = new Set<Promise<unknown>>();
  return {
    read(action) {
      const reading = writer.then(action);
      const leave = (): void => void readers.delete(settled);
      const settled: Promise<void> = reading.then(leave, leave);
      readers.add(settled);
      return reading;
    },
    write(action) {
      const writing = Promise.all([writer, ...readers]).then(action);
      // The next one waits for this one, but does not inherit its failure.
      writer = writing.catch(() => {});
      return writing;
    },
  };
}
