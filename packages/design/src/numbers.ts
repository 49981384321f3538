import { findPointers, type Pointer } from "./direction.ts";
import { type Level, type Scene, valuesOf } from "./levels.ts";
import { type Item, type Quantity, wordOf } from "./quantity.ts";
import type { Direction, Doubt, MetricKind, Reading, Said } from "./reading.ts";
import type { Unit } from "./unit.ts";

/** Candidates that a doubt names. */
export const MAX_CANDIDATES = 5;

/** Units of values that vary among users. */
const AMOUNT_UNITS: ReadonlySet<Unit> = new Set(["MONEY", "TIME", "PLAIN"]);

type Values = Pick<Reading, "direction" | "baseline" | "standardDeviation" | "effect" | "power" | "alpha">;

export interface Numbers extends Values {
  /** The kind that the numbers show where no metric is named. */
  kind?: MetricKind;
  /** Index of the quantity that shows it. */
  source?: number;
  doubts: Doubt[];
  /** Indexes of the quantities that got a meaning. */
  used: ReadonlySet<number>;
}

/** The numbers of the metric and of the test, from the roles of the quantities. */
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

interface ChangeScene {
  scene: Scene;
  baseline: Level | undefined;
  target: Level | undefined;
  effect: Level | undefined;
  effects: readonly Level[];
  isRate: boolean;
  isPossible: (value: number) => boolean;
  doubts: Doubt[];
}

/** Direction and effect, or what contradicts itself. */
function readChange(change: ChangeScene): Pick<Reading, "direction" | "effect"> {
  const { scene, baseline, target, effect, effects, isRate, isPossible, doubts } = change;
  const pointers = isEither(scene.items) ? [] : findPointers(scene, effects);
  const words = directionOf(pointers);
  if (words === "BOTH")
    doubts.push({ about: "direction", reason: `It is to go up and down: ${quote(scene, pointers)}.` });

  const from = baseline?.quantity;
  if (from && target) {
    const to = inUnitOf(target.quantity, from);
    const text = scene.textOf(Math.min(baseline.index, target.index), Math.max(baseline.index, target.index));
    const contradiction = (reason: string) => {
      doubts.push({ about: "direction", reason }, { about: "effect", reason });
      return {};
    };
    if (!isPossible(from.value) || !isPossible(to))
      return contradiction(`"${text}" leaves the rates between 0 % and 100 %.`);
    if (to === from.value) return contradiction(`"${text}" is no change.`);
    const direction: Direction = to > from.value ? "INCREASE" : "DECREASE";
    if (words !== undefined && words !== direction) {
      return contradiction(
        `"${text}" ${direction === "INCREASE" ? "rises" : "falls"}, but ${quote(scene, pointers)} says otherwise.`,
      );
    }
    const absolute = round(to - from.value);
    const other = effect && toEffect(effect, scene, direction, isRate, from);
    const size = other && (other.relative ? other.value * Math.abs(from.value) : other.value);
    if (size !== undefined && Math.abs(size - absolute) > 0.1 * Math.abs(absolute)) {
      doubts.push({
        about: "effect",
        reason: `"${text}" and "${scene.textOf(effect!.index)}" are two different effects.`,
      });
      return { direction: { value: direction, text } };
    }
    return { direction: { value: direction, text }, effect: { value: { value: absolute, relative: false }, text } };
  }

  const direction = words === "BOTH" ? undefined : words;
  const pointer = pointers[0];
  const said: { direction?: Said<Direction> } =
    direction && pointer ? { direction: { value: direction, text: scene.textOf(pointer.first, pointer.last) } } : {};
  // A target without a baseline does not give an effect.
  if (!effect) {
    if (target && !baseline)
      doubts.push({
        about: "effect",
        reason: `"${scene.textOf(target.index)}" is a target, and what it is now is not said.`,
      });
    return said;
  }
  const value = toEffect(effect, scene, direction, isRate, from);
  if (!value) {
    doubts.push({ about: "effect", reason: `"${scene.textOf(effect.index)}" could be relative or absolute.` });
    return said;
  }
  return { ...said, effect: { value, text: scene.textOf(effect.index) } };
}

/** A signed effect; its size where there is no direction. Undefined where it could be relative or absolute. */
function toEffect(
  level: Level,
  scene: Scene,
  direction: Direction | undefined,
  isRate: boolean,
  baseline: Quantity | undefined,
) {
  const { quantity, index } = level;
  const signed = (value: number, relative: boolean) => ({ value: direction === "DECREASE" ? -value : value, relative });
  const near = [...scene.items.slice(Math.max(0, index - 4), index), ...scene.items.slice(index + 1, index + 3)].map(
    wordOf,
  );
  const isRelative = near.includes("relative");
  const isAbsolute = near.includes("absolute");
  if (quantity.unit === "FACTOR") {
    const multiple = quantity.value < 1 && direction === "INCREASE" ? 1 + quantity.value : quantity.value;
    return multiple === 1 ? undefined : signed(Math.abs(round(multiple - 1)), true);
  }
  if (quantity.unit === "POINTS")
    return signed(isRate || !scene.metric ? quantity.value : round(100 * quantity.value), false);
  if (quantity.unit === "RATE") return signed(quantity.value, !(isAbsolute && isRate));
  if (!isRate) return signed(inUnitOf(quantity, baseline), false);
  return isRelative ? signed(quantity.value, true) : isAbsolute ? signed(quantity.value, false) : undefined;
}

function directionOf(pointers: readonly Pointer[]): Direction | "BOTH" | undefined {
  const directions = new Set(pointers.map(({ direction }) => direction));
  return directions.size > 1 ? "BOTH" : [...directions][0];
}

const isEither = (items: readonly Item[]) =>
  items.some((item, index) => wordOf(item) === "either" && /^(?:direction|way)$/.test(wordOf(items[index + 1]) ?? ""));

const quote = (scene: Scene, pointers: readonly Pointer[]) =>
  [...new Set(pointers.map(({ first, last }) => `"${scene.textOf(first, last)}"`))].join(" and ");

/** The only value, or none and a doubt. */
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

/** Whether the baseline and target are rates. */
function isRateOf({ metric }: Scene, deviation: Level | undefined, levels: readonly Level[]): boolean {
  if (metric) return metric.unit === "RATE";
  return deviation === undefined && levels.some(({ quantity }) => quantity.unit === "RATE" || isShare(quantity));
}

/** Whether a quantity can be about the metric: its unit fits, and a bare number needs a word for it. */
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

/** A time in the unit of another one. */
function inUnitOf(quantity: Quantity, other: Quantity | undefined): number {
  if (quantity.seconds === undefined || other?.seconds === undefined) return quantity.value;
  return round((quantity.value * quantity.seconds) / other.seconds);
}

/** Without the noise of binary fractions: 0.05 - 0.04 is 0.01. */
const round = (value: number) => Number(value.toPrecision(12));
