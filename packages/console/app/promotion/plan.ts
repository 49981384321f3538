import {
  compare,
  nameOf,
  neededBy,
  type Refuse,
  readDefinitions,
  type Step,
  type StoredDefinition,
} from "@assay/client/definitions";
import { useQuery } from "@tanstack/react-query";
import { apiOf } from "../session.ts";
import { TEXT } from "../text.ts";

const { refusals } = TEXT.promotion;

/** What a promotion would do. */
export interface Plan {
  /** What differs, in the order in which it is done. */
  steps: Step[];
  /** How many definitions are the same in both environments. */
  same: number;
  /** What only the target has. */
  left: string[];
}

/** The definition of a running or finished experiment says what its results mean, so only drafts change. */
const refuse: Refuse = ({ kind, status }) => {
  if (kind !== "experiment" || status === "DRAFT") return null;
  const states: Record<string, string> = TEXT.experiments.states;
  return refusals.runs((states[status] ?? status).toLowerCase());
};

export function toPlan(source: readonly StoredDefinition[], target: readonly StoredDefinition[]): Plan {
  const steps = compare(source, target, refuse);
  const names = new Set(source.map(nameOf));
  return {
    steps,
    same: source.length - steps.length,
    left: target.filter((one) => !names.has(nameOf(one))).map(({ key }) => key),
  };
}

export const planKey = (from: string, to: string) => ["promotion", from, to];

/** Compares two environments. The plan stays while someone reads it: the versions that it compared are those that change. */
export function usePlan(from: string, to: string) {
  return useQuery({
    queryKey: planKey(from, to),
    queryFn: async () => {
      const [source, target] = await Promise.all([from, to].map((name) => readDefinitions(apiOf(name), () => true)));
      return toPlan(source!, target!);
    },
    enabled: from !== to,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
}

/** Returns the chosen names with those that they need, however many steps away. */
export function withNeeded(chosen: readonly string[], steps: readonly Step[]): string[] {
  const all = new Set(chosen);
  // Iterating a Set visits members added during the loop.
  for (const name of all) {
    const step = steps.find((one) => nameOf(one) === name);
    for (const one of step ? neededBy(step, steps) : []) all.add(nameOf(one));
  }
  return [...all];
}
