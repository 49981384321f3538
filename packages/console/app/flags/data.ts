import { type FeatureFlag, type FeatureFlagUpdate, isAssayError } from "@assay/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../session.ts";

export interface StoredFlag {
  flag: FeatureFlag;
  etag: string;
}

async function readFlag(key: string): Promise<StoredFlag> {
  const { data, headers } = await api.raw("GET /feature-flags/{id}", { params: { id: key } });
  return { flag: data, etag: headers.get("etag") ?? "" };
}

export function useFlag(key: string) {
  return useQuery({ queryKey: ["flag", key], queryFn: () => readFlag(key) });
}

/** A change that the server refused because someone else changed the flag meanwhile. */
export interface Conflict {
  fields: Partial<FeatureFlag>;
  base: FeatureFlag;
  latest: StoredFlag;
  reason: string;
}

interface Change {
  fields: Partial<FeatureFlag>;
  reason: string;
  over: StoredFlag;
}

/** Saves changes of a flag. If somebody else has changed it since it was read, there is a `conflict`. */
export function useFlagChange(key: string, onSaved: () => void) {
  const queries = useQueryClient();
  const [conflict, setConflict] = useState<Conflict>();
  const mutation = useMutation({
    async mutationFn({ fields, reason, over }: Change) {
      try {
        await api.request("PUT /feature-flags/{id}", {
          params: { id: key },
          body: { ...(fields as FeatureFlagUpdate), ...(reason.trim() ? { reason: reason.trim() } : {}) },
          headers: { "If-Match": over.etag },
        });
        return true;
      } catch (error) {
        if (!isAssayError(error) || error.code !== "PRECONDITION_FAILED") throw error;
        setConflict({ fields, base: over.flag, latest: await readFlag(key), reason });
        return false;
      }
    },
    async onSuccess(isSaved) {
      if (!isSaved) return;
      setConflict(undefined);
      await Promise.all(
        [["flag", key], ["flags"], ["history", key]].map((queryKey) => queries.invalidateQueries({ queryKey })),
      );
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
      await queries.invalidateQueries({ queryKey: ["flag", key] });
      onSaved();
    },
  };
}
