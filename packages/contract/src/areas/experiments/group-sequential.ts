import * as z from "zod";
import { strict } from "../../shared/fields.ts";
import { MAX_PLANNED_LOOKS, SPENDING_FUNCTIONS } from "../../shared/planned-looks.ts";

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
