import type { ExperimentCreate, Variant } from "@assay/contract";
import { invalid } from "../../ground/errors.ts";
import type { FlagRecord } from "../../model/feature-flag.ts";
import { withWeights } from "../../model/variant-weights.ts";

type Design = Pick<
  ExperimentCreate,
  "experiment_type" | "variants" | "split_url_config" | "factors" | "default_value" | "feature_flag_key"
>;

const MAX_VARIANTS = 50;

/**
 * Returns the variants of an experiment: as given, or derived from its split-URL configuration, factors or flag.
 * @throws ApiError 422
 */
export function toVariants(design: Design, flag: FlagRecord | undefined): Variant[] {
  const given = design.variants ?? [];
  if (flag) return fromFlag(flag);
  const derived = design.experiment_type === "SPLIT_URL" ? fromSplitUrl(design) : [];
  requireSameUrls(given, derived);
  if (derived.length > 0) return derived;
  if (given.length > 0) return fromInput(given);
  if (design.experiment_type === "MULTIVARIATE" && design.factors) return fromFactors(design.factors);
  if (design.experiment_type === "FEATURE_FLAG") return onOff(0.5);
  return [];
}

function fromInput(given: NonNullable<Design["variants"]>): Variant[] {
  const controls = given.filter((variant) => variant.is_control);
  if (controls.length > 1) throw invalid(["body", "variants"], "Only one variant can be the control");
  const seen = new Set<string>();
  return withWeights(given).map(({ key: ownKey, id, name, ...rest }, index) => {
    const key = (ownKey ?? id)!;
    if (seen.has(key)) throw invalid(["body", "variants", index, "key"], `Two variants have the key "${key}"`);
    seen.add(key);
    return {
      ...rest,
      key,
      id: key,
      name: name ?? key,
      is_control: isControl(controls.length > 0, rest.is_control, index),
    };
  });
}

/** The first variant is the control unless another is marked. */
function isControl(hasMarked: boolean, mark: boolean | undefined, index: number): boolean {
  return hasMarked ? mark === true : index === 0;
}

function fromSplitUrl({ split_url_config }: Design): Variant[] {
  if (!split_url_config)
    throw invalid(["body", "split_url_config"], "Required for an experiment of type SPLIT_URL", "missing");
  return fromInput(
    split_url_config.variants.map(({ key, name, weight }, index) => ({ key: key ?? `url_${index + 1}`, name, weight })),
  ).map((variant, index) => ({ ...variant, url: split_url_config.variants[index]!.url }));
}

/** Accepts URLs only as the response shows them, because only `split_url_config` changes them. @throws ApiError 422 */
function requireSameUrls(given: NonNullable<Design["variants"]>, derived: Variant[]): void {
  const urls = new Map(derived.map(({ key, url }) => [key, url]));
  given.forEach(({ key, id, url }, index) => {
    if (url === undefined || url === urls.get((key ?? id)!)) return;
    throw invalid(["body", "variants", index, "url"], "Differs from the URL in split_url_config; change it there");
  });
}

/** Returns every combination of factor levels, with equal weights. */
function fromFactors(factors: NonNullable<Design["factors"]>): Variant[] {
  const combinations = factors.reduce<string[][]>(
    (rows, { levels }) => rows.flatMap((row) => levels.map((level) => [...row, level])),
    [[]],
  );
  if (combinations.length > MAX_VARIANTS) {
    throw invalid(
      ["body", "factors"],
      `${combinations.length} combinations exceed the limit of ${MAX_VARIANTS} variants`,
    );
  }
  return fromInput(
    combinations.map((levels) => ({
      key: levels.map(toSlug).join("_"),
      name: levels.join(" / "),
      weight: 1 / combinations.length,
      configuration: Object.fromEntries(factors.map(({ name }, index) => [name, levels[index]!])),
    })),
  );
}

function fromFlag(flag: FlagRecord): Variant[] {
  if (flag.variants.length === 0) return onOff(flag.rollout_percentage / 100);
  return fromInput(flag.variants.map(({ key, name, weight, value }) => ({ key, name, weight, configuration: value })));
}

/** Returns the arms of a boolean flag. `share` is the share of "on". */
function onOff(share: number): Variant[] {
  return fromInput([
    { key: "off", name: "Off", weight: 1 - share, configuration: false, is_control: true },
    { key: "on", name: "On", weight: share, configuration: true },
  ]);
}

/** Lowercase letters, digits and `_`, joined by `-`; `x` if nothing remains. */
export function toSlug(text: string): string {
  const slug = text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 100);
  return slug || "x";
}
