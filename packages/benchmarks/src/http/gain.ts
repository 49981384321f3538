import { written } from "../measure/number.ts";
import type { Target } from "../measure/target.ts";
import type { RewrittenCase } from "./cases.ts";

/** The subjects of a case: the floor, h3 doing the same, and Assay. */
export interface GainSubjects {
  floor: string;
  h3: string;
  /** h3 with a part of what Assay does around its answer; `does` says which, after its time. */
  more: { server: string; does: string };
  assay: string;
}

/**
 * The target that Assay's share of the floor is five times that of 2026-11-22. Where it is missed, the explanation says
 * what h3 takes, which Assay runs on.
 */
export function gain({ name, firstShare }: RewrittenCase, { floor, h3, more, assay }: GainSubjects): Target {
  return {
    claim: `${name}: share of ${floor}, in times of ${firstShare}, that of 2026-11-22`,
    bound: { kind: "atLeast", value: 5 },
    reached: ({ ratio }) => ratio(name, floor, assay) / firstShare,
    miss({ spread }) {
      const timeOf = (server: string) => `${written(spread(name, server).median)} us`;
      const least = 5 * firstShare;
      const allowed = `${written(spread(name, floor).median / least)} us`;
      const others = `h3 takes ${timeOf(h3)}, ${timeOf(more.server)} ${more.does}`;
      return `A share of ${written(least)} allows ${allowed}. ${others}; Assay takes ${timeOf(assay)}.`;
    },
  };
}
