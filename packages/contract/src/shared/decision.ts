import * as z from "zod";

/** What to do about an experiment. */
export const DECISIONS = ["SHIP", "KEEP_CONTROL", "CONTINUE", "INVESTIGATE"] as const;

export const SPLIT_STATES = ["even", "watch", "uneven"] as const;

/** Whether the arms have the sizes that the weights ask for. */
export const SplitState = z
  .enum(SPLIT_STATES)
  .nullable()
  .meta({
    description:
      "By the p-value that stays valid under repeated looks: `uneven` below 0.001, `watch` below 0.05, otherwise `even`. " +
      "Null without users",
  });
export type SplitState = z.infer<typeof SplitState>;
