import { isDeepStrictEqual } from "node:util";
import type { FeatureFlag, FeatureFlagCreate, FeatureFlagUpdate } from "@assay/contract";
import type { JsonValue } from "@assay/core";
import { badRequest, invalid } from "../../ground/errors.ts";
import type { FlagRecord } from "../../model/feature-flag.ts";
import { withWeights } from "../../model/variant-weights.ts";
import { requireMatchingValues } from "./value-schema.ts";

type Fields = Omit<FlagRecord, "id" | "created_at" | "updated_at" | "version">;
type ValueType = FlagRecord["value_type"];

/** Returns a new flag with defaults. @throws ApiError 422 if values do not match the type */
export function toNewFlag(body: FeatureFlagCreate, createdBy: string): Fields {
  const variants = withWeights(body.variants ?? []);
  const value_type = body.value_type ?? typeOf(variants[0]?.value) ?? typeOf(body.default_value) ?? "BOOLEAN";
  const flag: Fields = {
    key: body.key,
    name: body.name,
    description: body.description ?? "",
    status: body.status ?? "INACTIVE",
    rollout_percentage: body.rollout_percentage ?? 100,
    targeting_rules: body.targeting_rules ?? null,
    rules: body.rules ?? [],
    rules_enabled: body.rules_enabled ?? true,
    prerequisites: body.prerequisites ?? [],
    variants,
    value_type,
    default_value: body.default_value ?? (value_type === "BOOLEAN" ? false : null),
    value_schema: body.value_schema ?? null,
    defer_to_caller: body.defer_to_caller ?? false,
    bucket_by: body.bucket_by ?? null,
    client_side: body.client_side ?? false,
    expires_at: body.expires_at ?? null,
    permanent: body.permanent ?? false,
    tags: body.tags ?? [],
    metadata: body.metadata ?? {},
    created_by: createdBy,
  };
  requireFittingValues(flag);
  return flag;
}

/** Merges a body into a flag: absent fields keep their value, null clears it. @throws ApiError 400, 422 */
export function mergeFlag(flag: FlagRecord, body: FeatureFlagUpdate): FlagRecord {
  if (body.key !== undefined && body.key !== flag.key) {
    throw invalid(
      ["body", "key"],
      "The key of a flag cannot be changed, because it determines the bucket of each user",
    );
  }
  if (flag.status === "ARCHIVED" && body.status !== undefined && body.status === "ACTIVE") {
    throw badRequest("A feature flag cannot go from ARCHIVED to ACTIVE; make it INACTIVE first");
  }
  const { reason: _, key: __, ...fields } = body;
  const cleared: Partial<FlagRecord> = {
    description: "",
    targeting_rules: null,
    rules: [],
    prerequisites: [],
    variants: [],
    value_schema: null,
    bucket_by: null,
    expires_at: null,
    tags: [],
    metadata: {},
    default_value: (body.value_type ?? flag.value_type) === "BOOLEAN" ? false : null,
  };
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const merged = {
    ...flag,
    ...Object.fromEntries(given.map(([name, value]) => [name, value ?? cleared[name as keyof FlagRecord] ?? value])),
  } as FlagRecord;
  if (flag.variants.length === 0 && isListed(merged.variants)) merged.variants = [];
  requireFittingValues(merged);
  return { ...merged, variants: withWeights(merged.variants) };
}

/** The variants of a boolean flag that defines none. */
const ON_OFF: FeatureFlag["variants"] = [
  { key: "on", name: "On", value: true },
  { key: "off", name: "Off", value: false },
];

/** Returns the variants as responses list them: a boolean flag that defines none has `on` and `off`. */
export function listedVariants({ variants, value_type }: FlagRecord): FeatureFlag["variants"] {
  return variants.length === 0 && value_type === "BOOLEAN" ? ON_OFF : variants;
}

/** Whether these variants are the ones that {@link listedVariants} adds, which clients may write back. */
function isListed(variants: FeatureFlag["variants"]): boolean {
  return isDeepStrictEqual(variants, ON_OFF);
}

function requireFittingValues(flag: Fields): void {
  flag.variants.forEach(({ value }, index) => {
    if (typeOf(value) !== flag.value_type) {
      throw invalid(["body", "variants", index, "value"], `Expected a value of type ${flag.value_type}`);
    }
  });
  if (flag.default_value !== null && typeOf(flag.default_value) !== flag.value_type) {
    throw invalid(["body", "default_value"], `Expected a value of type ${flag.value_type}`);
  }
  if (flag.defer_to_caller && flag.value_type !== "BOOLEAN") {
    throw invalid(
      ["body", "defer_to_caller"],
      "Only for boolean flags; another flag defers if it has no default_value",
    );
  }
  requireMatchingValues(flag);
}

/** Returns the flag type of a value. An array is an OBJECT, null has none. */
function typeOf(value: JsonValue | undefined): ValueType | undefined {
  if (value === null || value === undefined) return undefined;
  const types: Record<string, ValueType> = { boolean: "BOOLEAN", string: "STRING", number: "NUMBER", object: "OBJECT" };
  return types[typeof value];
}
