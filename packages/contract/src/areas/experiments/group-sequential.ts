import * as z from "zod";
import { strict } from "../../shared/fields.ts";

/** How alpha is spent over the looks of a group-sequential test; see `docs/statistics/group-sequential.md`. */
export const SPENDING_FUNCTIONS = ["obrien_fleming", "pocock", "power", "hsd"] as const;

/** The most looks of a group-sequential test. */
export const MAX_PLANNED_LOOKS = 20;

/** Looks at equal shares of `planned_sample_size`, at which the experiment may be decided. */
export const GroupSequential = strict({
  looks: z.int().min(2).max(MAX_PLANNED_LOOKS).meta({ description: "The last one is at planned_sample_size" }),
  spending_function: z.enum(SPENDING_FUNCTIONS).default("obrien_fleming"),
}).meta({ id: "GroupSequential" });
export type GroupSequential = z.infer<typeof GroupSequential>;
