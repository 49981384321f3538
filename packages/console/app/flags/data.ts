import type { FeatureFlag, FeatureFlagUpdate } from "@assay/client";
import { useQuery } from "@tanstack/react-query";
import type { Editable } from "../parts/change.ts";
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

/** How a flag is read and changed. */
export const editFlag = (key: string): Editable<FeatureFlag> => ({
  async read() {
    const { flag, etag } = await readFlag(key);
    return { value: flag, etag };
  },
  write: (fields, etag, reason) =>
    api.request("PUT /feature-flags/{id}", {
      params: { id: key },
      body: { ...(fields as FeatureFlagUpdate), ...(reason ? { reason } : {}) },
      headers: { "If-Match": etag },
    }),
  queryKeys: [["flag", key], ["flags"], ["history", key]],
});
