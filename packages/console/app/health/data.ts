import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { SERVER_URL } from "../base.ts";
import { api } from "../session.ts";

/** How often the state of the server is read again. */
const LIVE_MS = 10_000;
/** How often progress is read again. */
const PROGRESS_MS = 1_000;

export interface Readiness {
  status: "ready" | "unavailable";
  store: string;
  reason?: string;
  quarantined: { key: string; reason: string }[];
}

/** Whether the server and its storage work. The server says so without a token. */
export function useReadiness() {
  return useQuery({
    queryKey: ["readiness"],
    queryFn: async () => (await (await fetch(new URL("readyz", SERVER_URL))).json()) as Readiness,
    refetchInterval: LIVE_MS,
  });
}

export function useScheduler() {
  return useQuery({
    queryKey: ["scheduler"],
    queryFn: async () => {
      const [health, jobs] = await Promise.all([
        api.request("GET /scheduler/health"),
        api.request("GET /scheduler/jobs", { query: { limit: 100 } }),
      ]);
      return { health, jobs: jobs.items };
    },
    refetchInterval: ({ state }) => (state.data?.jobs.some(({ running }) => running) ? PROGRESS_MS : LIVE_MS),
  });
}

export function useDataJobs() {
  return useQuery({
    queryKey: ["data-jobs"],
    queryFn: () => api.request("GET /etl/jobs", { query: { limit: 100 } }),
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ latest_runs }) => latest_runs.some(isOpen)) ? PROGRESS_MS : LIVE_MS,
  });
}

/** Whether a run of a data job has not ended. */
export const isOpen = ({ status }: { status: string }) => status === "QUEUED" || status === "RUNNING";

/** Starts or stops work of the server, and reads its state again. */
export function useWork<T = void>(work: (fields: T) => Promise<unknown>, onDone?: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: work,
    async onSuccess() {
      await Promise.all(["scheduler", "data-jobs"].map((name) => queries.invalidateQueries({ queryKey: [name] })));
      onDone?.();
    },
  });
}
