import type { AreaInput } from "../../area.ts";
import { holdoutCollection } from "../../model/holdout.ts";
import type { PastLifts } from "../../model/lift.ts";
import type { Collections } from "../../storage/collections.ts";
import { createProgramme } from "./programme.ts";
import { type Comparer, createHoldoutService } from "./service.ts";

export { routes } from "./routes.ts";

export const collections = ({ define }: Collections) => ({ holdouts: define(holdoutCollection) });

type Needed = { comparisons: { toRows: Comparer }; pastLifts: PastLifts };

export function create({ runtime, records, analysis, services }: AreaInput<Needed>) {
  const { holdouts, experiments } = records;
  const compare = services.comparisons.toRows;
  const programmeOf = createProgramme({ experiments, pastLifts: services.pastLifts });
  return { services: { holdout: createHoldoutService({ runtime, holdouts, analysis, compare, programmeOf }) } };
}
