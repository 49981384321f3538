import * as z from "zod";
import { strict } from "../../shared/fields.ts";

/** The alpha-spending functions of a group-sequential test; see `docs/statistics/group-sequential.md`. */
export const SPENDING_FUNCTIONS = ["obrien_fleming", "pocock", "power", "hsd"] as const;

/** The maximum number of looks of a group-sequential test. */
export const MAX_PLANNED_LOOKS = 20;

/**
 * A group-sequential design: looks at equal shares of `planned_sample_size`, each of which may decide the experiment.
 */
export const GroupSequential = strict({
  looks: z.int().min(2).max(MAX_PLANNED_LOOKS).meta({
    description: "Number of looks, at equal shares of planned_sample_size; the last is at planned_sample_size",
  }),
  spending_function: z.enum(SPENDING_FUNCTIONS).default("obrien_fleming"),
}).meta({ id: "GroupSequential" });
export type GroupSequential = z.infer<typeof GroupSequential>;
