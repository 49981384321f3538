import type { RolloutSchedule } from "@assay/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "../session.ts";

/** How often what moves is read again. */
export const LIVE_MS = 15_000;

/** The schedules of a flag, newest first. */
export function useSchedules(flagKey: string) {
  return useQuery({
    queryKey: ["schedules", flagKey],
    queryFn: () => api.request("GET /rollout-schedules", { query: { feature_flag_id: flagKey, limit: 50 } }),
  });
}

/** One schedule with the evidence for its next stage, live while it is active. */
export function useSchedule({ id, status }: RolloutSchedule) {
  return useQuery({
    queryKey: ["schedule", id],
    queryFn: () => api.request("GET /rollout-schedules/{id}", { params: { id } }),
    refetchInterval: status === "ACTIVE" ? LIVE_MS : false,
  });
}

export function useSafety(flagKey: string) {
  return useQuery({
    queryKey: ["safety", flagKey],
    queryFn: () => api.request("GET /safety/feature-flags/{id}", { params: { id: flagKey } }),
    refetchInterval: LIVE_MS,
  });
}

/** A change of a schedule or of safety, after which what moves is read again. */
export function useRolloutChange<T = void>(change: (fields: T) => Promise<unknown>, onSaved: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    async onSuccess() {
      const read = ["schedules", "schedule", "safety", "safety-settings", "rollbacks", "flag", "flags", "history"];
      await Promise.all(read.map((name) => queries.invalidateQueries({ queryKey: [name] })));
      onSaved();
    },
  });
}
