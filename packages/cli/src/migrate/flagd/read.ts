import type { FlagVariant, JsonValue } from "@assay/core";
import { typeOf } from "../mapping/arms.ts";
import { requireKey } from "../mapping/key.ts";
import type { MigratedFlag, Migration, Read, Skipped } from "../mapping/migration.ts";
import { noCounterpart } from "../mapping/no-counterpart.ts";
import { toRules } from "../mapping/rules.ts";
import { readEach, readPart } from "../mapping/shape.ts";
import { resolveReferences } from "./expression.ts";
import { Flag, readSource, type Source } from "./payload.ts";
import { toTargeting } from "./targeting.ts";

/** Reads files of flags. */
export const readFlagd: Read = (payloads, options): Migration => {
  const source = readSource(payloads, options);
  const skipped: Skipped[] = [];
  const flags = readEach(
    source.flags,
    "flag",
    ({ key }) => key,
    (one) => toFlag(one.key, one.flag, source),
    skipped,
  );
  return { segments: [], flags, experiments: [], skipped };
};

function toFlag(key: string, given: unknown, { evaluators }: Source): MigratedFlag {
  const { state, variants, defaultVariant, targeting, metadata } = readPart(Flag, given);
  const values = Object.entries(variants);
  const types = new Set(values.map(([, value]) => typeOf(value)));
  if (types.size !== 1) noCounterpart("Its variants have several types");
  const [value_type = "BOOLEAN"] = types;
  const fallback = defaultVariant || undefined;
  if (fallback !== undefined && !Object.hasOwn(variants, fallback)) noCounterpart(`It has no variant ${fallback}`);
  const isTargeted = typeof targeting === "object" && targeting !== null && Object.keys(targeting).length > 0;
  const expression = isTargeted ? resolveReferences(targeting, evaluators) : null;
  const { steps, draws, attributes } =
    isTargeted || fallback !== undefined
      ? toTargeting(expression, key, fallback)
      : { steps: [], draws: [], attributes: [] };
  const hashed = [...new Set(attributes)];
  if (hashed.length > 1) noCounterpart(`It draws by several attributes: ${hashed.join(", ")}`);
  const isOff = state === "DISABLED";
  const silent: JsonValue = value_type === "BOOLEAN" ? false : null;
  // The last step is for everyone; it becomes the split of the flag itself.
  const last = steps.at(-1)?.serve;
  const weights = new Map(
    last === undefined
      ? []
      : "variant" in last
        ? [[last.variant, 100]]
        : last.variants!.map(({ key, weight }) => [key, weight] as const),
  );
  return {
    body: {
      key: requireKey(key),
      name: key,
      description: "",
      status: isOff ? "INACTIVE" : "ACTIVE",
      ...toRules(steps.slice(0, -1)),
      rollout_percentage: last === undefined ? 0 : 100,
      targeting_rules: null,
      prerequisites: [],
      variants: values.map(([name, value]): FlagVariant => {
        const first = values[0]![0];
        return {
          key: requireKey(name),
          weight: weights.get(name) ?? (last === undefined && name === first ? 100 : 0),
          value: value as JsonValue,
        };
      }),
      value_type,
      default_value: isOff || fallback === undefined ? silent : (variants[fallback] as JsonValue),
      bucket_by: hashed[0] === undefined || hashed[0] === "user_id" ? null : hashed[0],
      tags: [],
    },
    differences:
      (isOff || fallback === undefined) && value_type === "BOOLEAN"
        ? ["Where flagd has no value, Assay serves false, not the caller's default"]
        : [],
    notes: metadata ? ["Metadata"] : [],
    draws,
  };
}
