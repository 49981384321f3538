import { useMutation, useQueryClient } from "@tanstack/react-query";

/** A change of groups or of the holdout, after which both and the experiments are read again. */
export function useTrafficChange<T>(change: (fields: T) => Promise<unknown>, onSaved: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    async onSuccess() {
      const read = ["groups", "holdout", "holdout-report", "experiments", "experiment"];
      await Promise.all(read.map((name) => queries.invalidateQueries({ queryKey: [name] })));
      onSaved();
    },
  });
}
