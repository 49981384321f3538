import { readChange } from "./change.ts";
import { type Level, type Scene, valuesOf } from "./levels.ts";
import { inUnitOf, type Quantity, round } from "./quantity.ts";
import type { Doubt, MetricKind, Reading } from "./reading.ts";
import type { Unit } from "./unit.ts";

/** The maximum number of candidates that a doubt names. */
export const MAX_CANDIDATES = 5;

/** Units of values that vary among users. */
const AMOUNT_UNITS: ReadonlySet<Unit> = new Set(["MONEY", "TIME", "PLAIN"]);

type Values = Pick<Reading, "direction" | "baseline" | "standardDeviation" | "effect" | "power" | "alpha">;

export interface Numbers extends Values {
  /** The kind of metric that the numbers suggest if the description names no metric. */
  kind?: MetricKind;
  /** Index of the quantity that suggests it. */
  source?: number;
  doubts: Doubt[];
  /** Indexes of the quantities that got a meaning. */
  used: ReadonlySet<number>;
}

/** Reads the numbers of the metric and of the test from the roles of the quantities. */
export function readNumbers(scene: Scene, levels: readonly Level[]): Numbers {
  const used = new Set<number>();
  const doubts: Doubt[] = [];
  const use = (level: Level) => {
    used.add(level.index);
    return scene.textOf(level.index);
  };
  const first = (role: Level["role"], isValid: (quantity: Quantity) => boolean) =>
    levels.find((level) => level.role === role && isValid(level.quantity));

  const deviation = first("DEVIATION", ({ value, unit }) => value > 0 && AMOUNT_UNITS.has(unit));
  const own = levels.filter(({ quantity, role, certainty }) =>
    isOfMetric(quantity, role, certainty, scene, deviation !== undefined),
  );
  const baselines = valuesOf(own, "BASELINE");
  const targets = valuesOf(own, "TARGET");
  const effects = valuesOf(own, "EFFECT");
  const reading: Values = {};

  const isRate = isRateOf(scene, deviation, [...baselines, ...targets]);
  const baseline = oneOf(baselines, "baseline", scene, doubts);
  for (const level of [...baselines, ...targets, ...effects]) use(level);
  const isPossible = (value: number) => !isRate || (value > 0 && value < 1);
  if (baseline) {
    if (isPossible(baseline.quantity.value))
      reading.baseline = { value: baseline.quantity.value, text: scene.textOf(baseline.index) };
    else
      doubts.push({ about: "baseline", reason: `"${scene.textOf(baseline.index)}" is no rate between 0 % and 100 %.` });
  }
  if (deviation) {
    reading.standardDeviation = { value: inUnitOf(deviation.quantity, baseline?.quantity), text: use(deviation) };
  }
  const power = first("POWER", isShare);
  if (power) reading.power = { value: power.quantity.value, text: use(power) };
  const alpha = first("ALPHA", isShare);
  const confidence = first("CONFIDENCE", isShare);
  if (alpha) reading.alpha = { value: alpha.quantity.value, text: use(alpha) };
  else if (confidence) reading.alpha = { value: round(1 - confidence.quantity.value), text: use(confidence) };

  const target = oneOf(targets, "effect", scene, doubts);
  const effect = oneOf(effects, "effect", scene, doubts);
  const change = readChange({
    scene,
    baseline,
    target,
    effect,
    isRate,
    isPossible,
    doubts,
    effects,
  });
  Object.assign(reading, change);
  const isPoints = !deviation && own.some(({ quantity }) => quantity.unit === "POINTS");
  const shown = isRate || isPoints ? "CONVERSION" : undefined;
  const kind = shown ?? (deviation ? "MEAN" : undefined);
  const source = baseline ?? target ?? effect ?? deviation;
  return { ...reading, ...(kind && source ? { kind, source: source.index } : {}), doubts, used };
}

/** Returns the only value, or undefined and reports a doubt. */
function oneOf(
  levels: readonly Level[],
  about: "baseline" | "effect",
  scene: Scene,
  doubts: Doubt[],
): Level | undefined {
  if (levels.length === 1 && !levels[0]!.range) return levels[0];
  if (levels.length > 0) {
    const named = levels.slice(0, MAX_CANDIDATES).map(({ index }) => `"${scene.textOf(index)}"`);
    doubts.push({ about, reason: `The ${about} could be ${named.join(" or ")}.` });
  }
  return undefined;
}

const isShare = ({ value, unit }: Quantity) => value > 0 && value < 1 && (unit === "RATE" || unit === "PLAIN");

/** Returns whether the baseline and target are rates. */
function isRateOf({ metric }: Scene, deviation: Level | undefined, levels: readonly Level[]): boolean {
  if (metric) return metric.unit === "RATE";
  return deviation === undefined && levels.some(({ quantity }) => quantity.unit === "RATE" || isShare(quantity));
}

/**
 * Returns whether a quantity can be a value of the metric: its unit fits, and a number without a unit needs a word for
 * its role.
 */
function isOfMetric(
  { unit, value }: Quantity,
  role: Level["role"],
  certainty: number,
  { metric }: Scene,
  hasDeviation: boolean,
): boolean {
  const known = metric?.unit ?? (hasDeviation ? "PLAIN" : "RATE");
  if (!metric && certainty === 1) return false;
  if (unit === "POINTS" || unit === "FACTOR" || (unit === "RATE" && role === "EFFECT")) return true;
  if (unit === "PLAIN")
    return certainty === 2 && (known !== "RATE" ? known !== "TIME" || hasDeviation : value > 0 && value < 1);
  if (unit === known) return true;
  return known === "PLAIN" && unit !== "RATE";
}
