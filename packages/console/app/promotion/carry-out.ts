import { createPropose, nameOf, type Step, send, takeSteps } from "@assay/client/definitions";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { apiOf } from "../session.ts";
import { TEXT } from "../text.ts";

export interface Order {
  to: string;
  steps: readonly Step[];
  reason: string;
  /** Whether the changes need approval. */
  isProposed: boolean;
}

/** What became of steps, by name. Those that are missing wait. */
export type Outcomes = Record<string, Step>;

/** Makes or proposes changes one after another, and tells how far it is. */
export function useCarryOut() {
  const [outcomes, setOutcomes] = useState<Outcomes>({});
  const queries = useQueryClient();
  const work = useMutation({
    async mutationFn({ to, steps, reason, isProposed }: Order) {
      setOutcomes({});
      const client = apiOf(to);
      const propose = isProposed ? await createPropose(client, reason) : undefined;
      return takeSteps(steps, {
        reason,
        words: TEXT.promotion.refusals,
        async act(write) {
          if (propose) return propose(write);
          await send(client, write);
          return undefined;
        },
        onStep: (step) => setOutcomes((before) => ({ ...before, [nameOf(step)]: step })),
      });
    },
    // Other pages may show what has changed. The plan stays, with what became of it.
    onSettled: () => queries.invalidateQueries({ predicate: ({ queryKey: [name] }) => name !== "promotion" }),
  });
  return {
    start: work.mutate,
    isRunning: work.isPending,
    /** The order that runs or has run. */
    order: work.variables,
    error: work.error,
    outcomes,
    reset() {
      work.reset();
      setOutcomes({});
    },
  };
}
