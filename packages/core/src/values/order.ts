import type { Order, Ordered } from "../format/program.ts";
import { toNumber } from "./equality.ts";
import { toInstant } from "./instant.ts";
import { parseVersion } from "./semver.ts";

/** How the values of an order are read, null where they are not of its kind. */
export const readers: Record<Order, (value: unknown) => Ordered | null> = {
  number: toNumber,
  time: toInstant,
  version: parseVersion,
};
