import type { Predicate } from "../format/program.ts";
import { readers } from "../values/order.ts";
import { compareVersions, type Version } from "../values/semver.ts";

/** Tests one value of an attribute; callers iterate over lists. */
export type Check = (actual: unknown) => boolean;

/** Creates the test whether a text passes one of some tests. Numbers and booleans are converted to text. */
export function createTextCheck(tests: readonly ((text: string) => boolean)[], caseless: boolean): Check {
  return (actual) => {
    if (typeof actual === "object") return false;
    let text = String(actual);
    if (caseless) text = text.toLowerCase();
    return tests.some((test) => test(text));
  };
}

/** Creates the test whether a value is on one side of one of some values, in an order that can read it. */
export function createOrderCheck([, , order, values, side, orEqual]: Extract<Predicate, { 0: "order" }>): Check {
  const read = readers[order];
  return (actual) => {
    const parsed = read(actual);
    if (parsed === null) return false;
    // A loop, not `some`: this is the hot path of every numeric condition.
    for (const value of values) {
      const difference =
        typeof parsed === "number" ? parsed - (value as number) : compareVersions(parsed, value as Version);
      if (difference === 0 ? orEqual : difference * side > 0) return true;
    }
    return false;
  };
}
