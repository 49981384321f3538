import type { AreaInput } from "../../area.ts";
import { holdoutCollection } from "../../model/holdout.ts";
import type { Collections } from "../../storage/collections.ts";
import { type Comparer, createHoldoutService } from "./service.ts";

export { routes } from "./routes.ts";

export const collections = ({ define }: Collections) => ({ holdouts: define(holdoutCollection) });

export function create({ runtime, records, analysis, services }: AreaInput<{ comparisons: { toRows: Comparer } }>) {
  const { holdouts } = records;
  const compare = services.comparisons.toRows;
  return { services: { holdout: createHoldoutService({ runtime, holdouts, analysis, compare }) } };
}
