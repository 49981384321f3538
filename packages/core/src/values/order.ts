import { refuse } from "../format/definition-error.ts";
import type { Order, Ordered } from "../format/program.ts";
import { toNumber } from "./equality.ts";
import { toInstant } from "./instant.ts";
import { parseVersion } from "./semver.ts";

/** The parsers of each order. They return null for values of another kind. */
export const readers: Record<Order, (value: unknown) => Ordered | null> = {
  number: toNumber,
  time: toInstant,
  version: parseVersion,
};

/** Reads the value of a definition. @throws DefinitionError if it does not fit the order */
export function readOrdered(order: Order, value: unknown): Ordered {
  const expected = order === "time" ? "an ISO 8601 time" : `a ${order}`;
  return readers[order](value) ?? refuse(`${JSON.stringify(value)} is not ${expected}`);
}
