import * as z from "zod";
import { strict } from "../../shared/fields.ts";

/** The longest period: a week. */
const MAX_PERIOD_MINUTES = 10_080;

const PERIOD = {
  description:
    "Length of a period. Periods start at whole multiples of it since 1970, UTC; each value of the attribute in bucket_by is one unit in one period, such as north-494310",
};
const WASHOUT = {
  description:
    "Exposures within this time after the start of a period do not count, nor do the events that follow them",
};

/** How the units of an experiment switch between the arms, as a request says. */
export const SwitchbackInput = strict({
  period_minutes: z.int().min(1).max(MAX_PERIOD_MINUTES).meta(PERIOD),
  washout_minutes: z.int().min(0).max(MAX_PERIOD_MINUTES).default(0).meta(WASHOUT),
})
  .refine(({ period_minutes, washout_minutes }) => washout_minutes < period_minutes, {
    message: "washout_minutes must be below period_minutes",
    path: ["washout_minutes"],
  })
  .meta({ id: "SwitchbackInput" });

/** The same as stored. */
export const Switchback = z
  .object({ period_minutes: z.int().meta(PERIOD), washout_minutes: z.int().meta(WASHOUT) })
  .meta({ id: "Switchback" });
export type Switchback = z.infer<typeof Switchback>;
