/** The alpha-spending functions of a group-sequential test; see `docs/statistics/group-sequential.md`. */
export const SPENDING_FUNCTIONS = ["obrien_fleming", "pocock", "power", "hsd"] as const;

/** The maximum number of looks of a group-sequential test. */
export const MAX_PLANNED_LOOKS = 20;
