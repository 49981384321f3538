import * as z from "zod";
import { Interval } from "./fields.ts";

export const WINNERS_CURSE_METHODS = ["EMPIRICAL_BAYES", "CONDITIONAL"] as const;

/** What to expect of a winner: estimates that were chosen because they were significant are too large on average. */
export const WinnersCurse = z
  .object({
    method: z.enum(WINNERS_CURSE_METHODS).meta({
      description:
        "EMPIRICAL_BAYES: drawn towards the lifts of past experiments. CONDITIONAL: given that the estimate was significant; " +
        "used if there are too few past experiments",
    }),
    experiments: z.int().meta({
      description: "Other COMPLETED experiments whose PRIMARY metrics are of this kind; EMPIRICAL_BAYES needs 20",
    }),
    observed_lift: z.number().meta({ description: "relative_difference of the row" }),
    corrected_lift: z.number(),
    corrected_interval: Interval.meta({ description: "At confidence_level" }),
    false_sign_probability: z
      .number()
      .nullable()
      .meta({ description: "That the true effect is none, or in the other direction; null with CONDITIONAL" }),
    exaggeration: z.number().nullable().meta({
      description:
        "How many times too large a significant estimate is on average (type M), if the true lift is the corrected one",
    }),
    summary: z.string(),
  })
  .meta({ id: "WinnersCurse" });
export type WinnersCurse = z.infer<typeof WinnersCurse>;
