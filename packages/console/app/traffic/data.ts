import { useMutation, useQueryClient } from "@tanstack/react-query";

/** Names of the queries that read who shares which users. */
export const TRAFFIC_READS = ["groups", "holdout", "holdout-report", "experiments", "experiment"];

/** A change of groups or of the holdout, after which both and the experiments are read again. */
export function useTrafficChange<T>(change: (fields: T) => Promise<unknown>, onSaved: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    async onSuccess() {
      await Promise.all(TRAFFIC_READS.map((name) => queries.invalidateQueries({ queryKey: [name] })));
      onSaved();
    },
  });
}
