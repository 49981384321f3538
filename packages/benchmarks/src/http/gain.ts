import { written } from "../measure/number.ts";
import type { Target } from "../measure/target.ts";
import type { RewrittenCase } from "./cases.ts";

/** The subjects of a case: the floor, h3 doing the same, and Assay. */
export interface GainSubjects {
  floor: string;
  h3: string;
  /** h3 with a part of what Assay does around its answer, where it was measured; `does` says which, after its time. */
  more?: { server: string; does: string };
  assay: string;
}

/**
 * The target that Assay's share of the floor is five times that of 2026-11-22. Where it is missed, the explanation takes
 * the microseconds over h3, which Assay runs on, from the run.
 */
export function gain({ name, firstShare }: RewrittenCase, { floor, h3, more, assay }: GainSubjects): Target {
  return {
    claim: `${name}: share of ${floor}, in times of ${firstShare}, that of 2026-11-22`,
    bound: { kind: "atLeast", value: 5 },
    reached: ({ ratio }) => ratio(name, floor, assay) / firstShare,
    miss({ spread }) {
      const [most, own] = [spread(name, h3).median, spread(name, assay).median];
      const least = 5 * firstShare;
      const allowed = spread(name, floor).median / least;
      const needed =
        more === undefined
          ? `h3 takes ${written(most)} us`
          : `h3 takes ${written(most)} us, ${written(spread(name, more.server).median)} us ${more.does}`;
      return (
        `A share of ${written(least)} allows ${written(allowed)} us. ${needed}, and Assay's checks and work ` +
        `${written(own - most)} us more.`
      );
    },
  };
}
