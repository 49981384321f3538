import { murmur3 } from "../mapping/murmur3.ts";
import { noCounterpart } from "../mapping/no-counterpart.ts";
import { toAttribute, toOperation } from "./expression.ts";

/** A pseudo-random split: https://flagd.dev/reference/custom-operations/fractional-operation/ */
export interface Fractional {
  /** The attribute that it hashes. */
  attribute: string;
  /** Variants in order; null stands for the default variant. */
  buckets: { variant: string | null; weight: number }[];
  armOf(id: string): string | null;
}

/** Reads the arguments of `fractional`. @throws {NoCounterpart} */
export function readFractional(args: readonly unknown[], flagKey: string): Fractional {
  const isSeeded = !Array.isArray(args[0]);
  const { attribute, prefix } = isSeeded ? readSeed(args[0], flagKey) : { attribute: "user_id", prefix: flagKey };
  const buckets = args.slice(isSeeded ? 1 : 0).map(readBucket);
  const total = buckets.reduce((sum, { weight }) => sum + weight, 0);
  if (total <= 0) return noCounterpart("A fractional operation has no weights");
  return {
    attribute,
    buckets,
    armOf(id) {
      const bucket = (BigInt(murmur3(prefix + id)) * BigInt(total)) >> 32n;
      let sum = 0;
      for (const { variant, weight } of buckets) {
        sum += weight;
        if (bucket < BigInt(sum)) return variant;
      }
      return null;
    },
  };
}

/** Reads what is hashed: an attribute, or texts and the key of the flag followed by an attribute. */
function readSeed(expression: unknown, flagKey: string): { attribute: string; prefix: string } {
  const operation = toOperation(expression);
  const parts = operation?.name === "cat" ? operation.args : [expression];
  const attribute =
    toAttribute(parts.at(-1)) ?? noCounterpart("A fractional operation hashes something else than an attribute");
  const prefix = parts.slice(0, -1).map((part) => {
    if (typeof part === "string") return part;
    const variable = toOperation(part);
    const isKey = variable?.name === "var" && variable.args[0] === "$flagd.flagKey";
    return isKey ? flagKey : noCounterpart("A fractional operation hashes several attributes");
  });
  return { attribute, prefix: prefix.join("") };
}

function readBucket(bucket: unknown): Fractional["buckets"][number] {
  const [variant, weight = 1] = Array.isArray(bucket)
    ? bucket
    : noCounterpart("A fractional operation has an invalid bucket");
  if (!Number.isInteger(weight)) return noCounterpart("A weight of a fractional operation is computed");
  if (variant !== null && !["string", "boolean", "number"].includes(typeof variant))
    return noCounterpart("A variant of a fractional operation is computed");
  return { variant: variant === null ? null : String(variant), weight: Math.max(0, weight as number) };
}
