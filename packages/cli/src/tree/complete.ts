import type { Fields, Kind } from "@assay/client/definitions";
import { normalizeWeights } from "@assay/core";
import { FILE_FIELDS, LEFT_ALONE } from "./fields.ts";

/** The value of each field that a new definition does not give; null for all others. */
const DEFAULTS: Record<Kind, Fields> = {
  segment: { description: "", status: "ACTIVE", user_ids: [] },
  flag: {
    ...{ description: "", status: "INACTIVE", rollout_percentage: 100, rules: [], rules_enabled: true },
    ...{ prerequisites: [], defer_to_caller: false, client_side: false, permanent: false, tags: [], metadata: {} },
  },
  experiment: {
    ...{ description: "", hypothesis: "", experiment_type: "AB_TEST", rules: [], variants: [], metrics: [] },
    ...{ bayesian_enabled: false, alpha: 0.05, correction: "HOLM", allocation: "FIXED" },
  },
};

interface Variant extends Fields {
  key?: string;
  id?: string;
  weight?: number;
  is_control?: boolean;
}

interface Metric extends Fields {
  id?: string;
  name: string;
}

/**
 * Returns all fields of a file, as the server stores and answers them: with defaults, and with what the server derives.
 * @param stored the fields that the server has, if any
 * @throws RangeError for weights that do not sum to 1, or to 100
 */
export function complete(kind: Kind, given: Fields, stored: Fields | undefined): Fields {
  const fields = Object.fromEntries(
    FILE_FIELDS[kind].map((name): [string, unknown] => {
      const kept = stored && LEFT_ALONE.includes(name) ? stored[name] : undefined;
      return [name, given[name] ?? kept ?? DEFAULTS[kind][name] ?? null];
    }),
  );
  if (kind === "segment") return { ...fields, ...completeSegment(given) };
  return { ...fields, ...(kind === "flag" ? completeFlag(given) : completeExperiment(fields, stored)) };
}

function completeSegment({ conditions = null, user_ids }: Fields): Fields {
  const list = Array.isArray(conditions) ? conditions : [conditions];
  return {
    conditions: list.length > 1 ? { all: list } : (list[0] ?? null),
    user_ids: [...new Set((user_ids ?? []) as string[])],
  };
}

function completeFlag(given: Fields): Fields {
  const variants = withWeights((given.variants ?? []) as Variant[]);
  const value_type = given.value_type ?? typeOf(variants[0]?.value) ?? typeOf(given.default_value) ?? "BOOLEAN";
  return {
    variants: variants.length > 0 ? variants : null,
    value_type,
    default_value: given.default_value ?? (value_type === "BOOLEAN" ? false : null),
  };
}

function completeExperiment(fields: Fields, stored: Fields | undefined): Fields {
  const variants = fields.variants as Variant[];
  const isDerived = hasDerivedArms(fields) || (variants.length === 0 && (fields.factors ?? isOnFlag(fields)));
  const before = (stored?.metrics ?? []) as Metric[];
  const idOf = ({ id, name }: Metric) => id ?? before.find((one) => one.name === name)?.id;
  const metrics = (fields.metrics as Metric[]).map((metric) => {
    const id = idOf(metric);
    return id === undefined ? metric : { ...metric, id };
  });
  return {
    variants: isDerived ? (stored?.variants ?? null) : withControl(withWeights(variants)),
    metrics,
    design: fields.design ?? (fields.factors ? "FULL_FACTORIAL" : null),
  };
}

/** Whether the arms of an experiment always follow from something else: from its flag, or from its URLs. */
export function hasDerivedArms({ feature_flag_key, experiment_type }: Fields): boolean {
  return (feature_flag_key ?? null) !== null || experiment_type === "SPLIT_URL";
}

function isOnFlag({ experiment_type }: Fields): true | null {
  return experiment_type === "FEATURE_FLAG" ? true : null;
}

/** Fills in missing weights as the server does: equal shares of the rest, as fractions or percentages. */
function withWeights(variants: readonly Variant[]): Variant[] {
  if (variants.length === 0) return [];
  const shares = normalizeWeights(variants.map(({ weight }) => weight));
  const scale = variants.reduce((sum, { weight = 0 }) => sum + weight, 0) > 1.5 ? 100 : 1;
  return variants.map((variant, index) => ({ ...variant, weight: variant.weight ?? shares[index]! * scale }));
}

function withControl(variants: readonly Variant[]): Variant[] {
  const hasMarked = variants.some(({ is_control }) => is_control);
  return variants.map(({ key, id, name, is_control, ...rest }, index) => ({
    ...rest,
    key: key ?? id!,
    name: name ?? key ?? id,
    is_control: hasMarked ? is_control === true : index === 0,
  }));
}

/** Returns the type of flags with such a value. An array is an OBJECT, null has none. */
export function typeOf(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  return { boolean: "BOOLEAN", string: "STRING", number: "NUMBER", object: "OBJECT" }[typeof value as string];
}
