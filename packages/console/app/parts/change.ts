import { isAssayError } from "@assay/client";
import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

/** What the server holds, with the version that a change is based on. */
export interface Stored<T> {
  value: T;
  etag: string;
}

/** What the server answered, with the tag of its version. */
export function toStored<T extends { version: number }>(value: T): Stored<T> {
  return { value, etag: `"v${value.version}"` };
}

/** How a kind of thing is read and changed. */
export interface Editable<T> {
  read: () => Promise<Stored<T>>;
  write: (fields: Partial<T>, etag: string, reason: string) => Promise<unknown>;
  /** What to read again after a change. */
  queryKeys: QueryKey[];
}

interface Change<T> {
  fields: Partial<T>;
  reason: string;
  over: Stored<T>;
}

/** A change that the server refused because someone else was faster. */
interface Conflict<T> {
  base: T;
  latest: Stored<T>;
}

/** Saves a change if nobody else changed the thing meanwhile; otherwise there is a `conflict`. */
export function useChange<T>({ read, write, queryKeys }: Editable<T>, onSaved: () => void) {
  const queries = useQueryClient();
  const [conflict, setConflict] = useState<Conflict<T>>();
  const readAgain = () => Promise.all(queryKeys.map((queryKey) => queries.invalidateQueries({ queryKey })));
  const mutation = useMutation({
    async mutationFn({ fields, reason, over }: Change<T>) {
      try {
        await write(fields, over.etag, reason.trim());
        return true;
      } catch (error) {
        if (!isAssayError(error) || error.code !== "PRECONDITION_FAILED") throw error;
        setConflict({ base: over.value, latest: await read() });
        return false;
      }
    },
    async onSuccess(isSaved) {
      if (!isSaved) return;
      setConflict(undefined);
      await readAgain();
      onSaved();
    },
  });
  return {
    save: mutation.mutate,
    isSaving: mutation.isPending,
    error: mutation.error,
    conflict,
    async keepTheirs() {
      setConflict(undefined);
      await readAgain();
      onSaved();
    },
  };
}
