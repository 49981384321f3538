import { isEnd } from "./clause.ts";
import type { Level, Scene } from "./levels.ts";
import type { Mention } from "./metric.ts";
import { type Item, wordOf } from "./quantity.ts";
import type { Direction } from "./reading.ts";
import { CHANGES } from "./vocabulary.ts";

/** A word or a sign that says in which direction the metric is to go. */
export interface Pointer {
  direction: Direction;
  first: number;
  last: number;
}

const REACH = { before: 6, after: 4, metric: 5 };
const STOPS = new Set(["stop", "avoid", "prevent"]);

/** Returns the pointers next to the effects and to the metric of a sentence. */
export function findPointers(scene: Scene, effects: readonly Level[]): Pointer[] {
  const near = effects.flatMap((effect) => pointersOfEffect(scene, effect));
  return [
    ...near,
    ...(scene.metric ? scene.mentions.filter((one) => one.name === scene.metric!.name) : []).flatMap((one) =>
      pointersOfMetric(scene, one),
    ),
  ];
}

function pointersOfEffect(scene: Scene, { quantity, index }: Level): Pointer[] {
  const { items, metric } = scene;
  const at = { first: index, last: index };
  if (quantity.sign !== 0) return [{ direction: quantity.sign > 0 ? "INCREASE" : "DECREASE", ...at }];
  const after = wordsFrom(scene, index, 1, REACH.after);
  const before = wordsFrom(scene, index, -1, REACH.before);
  const words = [...nearest(items, after, metric), ...nearest(items, before, metric)];
  if (quantity.unit === "FACTOR" && words.length === 0) {
    return quantity.value === 1 ? [] : [{ direction: quantity.value > 1 ? "INCREASE" : "DECREASE", ...at }];
  }
  return words;
}

function pointersOfMetric(scene: Scene, { first, last }: Mention): Pointer[] {
  const { items, metric } = scene;
  return [...wordsFrom(scene, first, -1, REACH.metric), ...wordsFrom(scene, last, 1, REACH.after)].flatMap((index) =>
    pointerAt(items, index, metric),
  );
}

/** Returns the indexes of words from an item on, up to a quantity, a comma before words or the end of the sentence. */
function wordsFrom({ items, isTaken, isGuarded }: Scene, from: number, step: 1 | -1, reach: number): number[] {
  const found: number[] = [];
  for (let at = from + step; at >= 0 && at < items.length && found.length < reach; at += step) {
    const item = items[at]!;
    if (isEnd(item) || isGuarded(at)) break;
    if (isTaken(at)) continue;
    if (item.type === "quantity" && item.attributive) continue;
    if (item.type === "quantity") break;
    found.push(at);
  }
  return found;
}

function nearest(items: readonly Item[], indexes: readonly number[], metric: Mention | undefined): Pointer[] {
  for (const index of indexes) {
    const pointers = pointerAt(items, index, metric);
    if (pointers.length > 0) return pointers;
  }
  return [];
}

function pointerAt(items: readonly Item[], index: number, metric: Mention | undefined): Pointer[] {
  const change = CHANGES.get(wordOf(items[index]) ?? "");
  if (change === undefined || isStopped(items, index) || isAboutAnother(items, index)) return [];
  const place = { first: index, last: index };
  if (change !== "BETTER") return [{ direction: change === "UP" ? "INCREASE" : "DECREASE", ...place }];
  if (metric?.polarity === undefined) return [];
  return [{ direction: metric.polarity === "UP" ? "INCREASE" : "DECREASE", ...place }];
}

/** Returns whether the sentence asks for no change of this kind: "stop the drop in conversion" asks for no drop. */
function isStopped(items: readonly Item[], index: number): boolean {
  return items.slice(Math.max(0, index - 2), index).some((item) => STOPS.has(wordOf(item) ?? ""));
}

/** Returns whether the word only follows "or", as in "or lower" and "more or less". */
function isAboutAnother(items: readonly Item[], index: number): boolean {
  return wordOf(items[index]) === "less" && wordOf(items[index - 1]) === "or";
}
