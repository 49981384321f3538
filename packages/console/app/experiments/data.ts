import type { Experiment } from "@assay/client";
import { useQuery } from "@tanstack/react-query";
import { api } from "../session.ts";

const LIVE_MS = 30_000;
/** People wait for the first user in front of the page. */
const FIRST_USER_MS = 5_000;

/** The overview and results of an experiment, which stay current while it runs. */
export function useResults({ id, status }: Pick<Experiment, "id" | "status">, isEnabled = true) {
  const params = { experiment_id: id };
  return useQuery({
    queryKey: ["results", id],
    queryFn: async () => {
      const [overview, results] = await Promise.all([
        api.request("GET /results/{experiment_id}/overview", { params }),
        api.request("GET /results/{experiment_id}", { params }),
      ]);
      return { overview, results };
    },
    refetchInterval: ({ state }) => {
      if (status !== "ACTIVE") return false;
      return state.data?.overview.users === 0 ? FIRST_USER_MS : LIVE_MS;
    },
    enabled: isEnabled,
  });
}
