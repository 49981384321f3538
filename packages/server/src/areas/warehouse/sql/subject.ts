import type { WarehouseSource } from "@assay/contract";

/** The subject of the generated SQL. */
export interface Subject {
  experiment: { id: string; key: string };
  /** Control first. */
  arms: readonly { id: string; key: string }[];
  /** Whether users seen in two arms stay in the first instead of being excluded. */
  keepsFirstArm: boolean;
  source: WarehouseSource;
  /** Schema of unqualified table names. */
  schema: string;
}

/** How participants are grouped. */
export type Grouping =
  /** One group, 0. */
  | { by: "ALL" }
  /** By the value of a column at the first exposure: the index in `names`, or the number of names for all others. */
  | { by: "SEGMENT"; column: string; names: readonly string[] }
  /** By the day on which their first exposure was received, in days since 1970. */
  | { by: "ENTRY" }
  /** By every day from that day on, with the outcomes received until its end. Users are in several groups. */
  | { by: "DAY" };

/** The group of all participants. */
export const EVERYONE: Grouping = { by: "ALL" };

/** The segment of users whose first exposure has no value. */
export const UNKNOWN = "(unknown)";
