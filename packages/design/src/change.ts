import { findPointers, type Pointer } from "./direction.ts";
import type { Level, Scene } from "./levels.ts";
import { type Item, inUnitOf, type Quantity, round, wordOf } from "./quantity.ts";
import type { Direction, Doubt, Reading, Said } from "./reading.ts";

/** What the numbers of a metric say before its change is read. */
export interface ChangeScene {
  scene: Scene;
  baseline: Level | undefined;
  target: Level | undefined;
  effect: Level | undefined;
  effects: readonly Level[];
  isRate: boolean;
  isPossible: (value: number) => boolean;
  doubts: Doubt[];
}

/** Returns the direction and the effect, or what contradicts itself. */
export function readChange(change: ChangeScene): Pick<Reading, "direction" | "effect"> {
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
  if (value.value === 0) {
    doubts.push({ about: "effect", reason: `"${scene.textOf(effect.index)}" is not a change.` });
    return said;
  }
  return { ...said, effect: { value, text: scene.textOf(effect.index) } };
}

/** Returns a signed effect, or its size if there is no direction. Undefined if it could be relative or absolute. */
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
