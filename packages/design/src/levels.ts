import { type Cue, findCue } from "./cue.ts";
import type { Mention } from "./metric.ts";
import { type Item, type Quantity, wordOf } from "./quantity.ts";

/** A quantity with its role in the sentence. */
export interface Level {
  role: Cue["role"];
  quantity: Quantity;
  /** Index of the quantity. */
  index: number;
  /** 2 if an adjacent word or metric states the role, 1 if only the position suggests it. */
  certainty: 1 | 2;
  /** Whether the quantity is one end of a range. */
  range: boolean;
}

/** A sentence, with the quantities that other readers have already used. */
export interface Scene {
  items: readonly Item[];
  mentions: readonly Mention[];
  /** Mentions by their last item. */
  mentionBefore: ReadonlyMap<number, Mention>;
  /** Mentions by their first item. */
  mentionAfter: ReadonlyMap<number, Mention>;
  metric: Mention | undefined;
  isTaken: (index: number) => boolean;
  isGuarded: (index: number) => boolean;
  textOf: (first: number, last?: number) => string;
}

/** Finds the role of each quantity in a sentence. */
export function findLevels(scene: Scene): Level[] {
  const levels: Level[] = [];
  const { items } = scene;
  for (const [index, item] of items.entries()) {
    if (item.type !== "quantity" || item.attributive || item.spelled || scene.isTaken(index)) continue;
    const link = linkBefore(items, index);
    const first = link && levels.findLast((level) => level.index >= link.index);
    if (link && first?.index === link.index && isSameUnit(first.quantity, item)) {
      const second = join(scene, first, item, index, link.word);
      if (second) levels.push(second);
      continue;
    }
    const quantity = withUnitOfPair(items, index, item);
    const cue = findCue(scene, index);
    const certainty = cue ? 2 : 1;
    levels.push({ role: roleOf(quantity, cue, scene), quantity, index, certainty, range: false });
  }
  return levels;
}

/** Returns the second number of `3 to 4 %`, `between 3 and 4 %`, `3-4 %`: a target, or the end of a range. */
function join(scene: Scene, first: Level, quantity: Quantity, index: number, word: string): Level | undefined {
  const after = findCue(scene, index);
  const isEffect =
    first.role === "EFFECT" || quantity.unit === "POINTS" || (after?.role === "EFFECT" && after.explicit);
  const opened = scene.items
    .slice(Math.max(0, first.index - 2), first.index)
    .some((item) => wordOf(item) === "between");
  const isRange = isEffect || word === "-" || word === "or" || (word === "and" && opened);
  if (!isRange && word === "and") return { ...first, role: "BASELINE", quantity, index };
  if (isRange) {
    first.range = true;
    if (isEffect) first.role = "EFFECT";
    return { ...first, quantity, index };
  }
  if (first.role !== "TREATMENT") first.role = "BASELINE";
  first.certainty = 2;
  return { ...first, role: first.role === "TREATMENT" ? "TREATMENT" : "TARGET", quantity, index };
}

const LINKS = new Set(["to", "->", "and", "or", "-"]);
const FILLERS = new Set(["about", "~", "up", "down", "only", "just"]);

/** Returns the quantity before this one, and the word that joins them. */
function linkBefore(items: readonly Item[], index: number): { index: number; word: string } | undefined {
  let word: string | undefined;
  for (let at = index - 1; at >= 0 && at >= index - 4; at--) {
    const item = items[at]!;
    if (item.type === "quantity") return word === undefined ? undefined : { index: at, word };
    const text = wordOf(item)!;
    if (LINKS.has(text) && word === undefined) word = text;
    else if (!FILLERS.has(text)) return undefined;
  }
  return undefined;
}

/** `from 40 to 44 percent`: the first number has the unit of the second. */
function withUnitOfPair(items: readonly Item[], index: number, quantity: Quantity): Quantity {
  if (quantity.unit !== "PLAIN") return quantity;
  for (let at = index + 1; at < items.length && at <= index + 4; at++) {
    const item = items[at]!;
    if (item.type !== "quantity") {
      if (!LINKS.has(item.text) && !FILLERS.has(item.text)) return quantity;
    } else if (linkBefore(items, at)?.index === index && item.unit !== "PLAIN" && item.unit !== "FACTOR") {
      const scale = item.unit === "RATE" || item.unit === "POINTS" ? 0.01 : 1;
      const seconds = item.seconds === undefined ? {} : { seconds: item.seconds };
      return { ...quantity, ...seconds, unit: item.unit, value: quantity.value * scale };
    } else return quantity;
  }
  return quantity;
}

const isSameUnit = (one: Quantity, other: Quantity) => one.unit === other.unit;

function roleOf(quantity: Quantity, cue: Cue | undefined, { metric }: Scene): Cue["role"] {
  if (cue?.role === "TREATMENT") return "TREATMENT";
  if (cue && ["POWER", "ALPHA", "CONFIDENCE", "DEVIATION"].includes(cue.role)) return cue.role;
  // Points and multiples are always differences, and so is what has a sign.
  if (quantity.unit === "POINTS" || quantity.unit === "FACTOR" || quantity.sign !== 0) return "EFFECT";
  // A percentage of a mean is a change of it.
  if (quantity.unit === "RATE" && metric && metric.unit !== "RATE" && cue?.explicit) return "EFFECT";
  return cue?.role ?? "BASELINE";
}

/** Returns the values of one role: the most certain ones, without duplicates. */
export function valuesOf(levels: readonly Level[], role: Level["role"]): Level[] {
  const found = levels.filter((level) => level.role === role);
  const best = Math.max(0, ...found.map(({ certainty }) => certainty));
  const certain = found.filter(({ certainty }) => certainty === best);
  return [...new Map(certain.toReversed().map((level) => [level.quantity.value, level])).values()].reverse();
}
