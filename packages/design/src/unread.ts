import type { Level, Scene } from "./levels.ts";
import { type Item, type Quantity, wordOf } from "./quantity.ts";

const MAX_UNREAD = 10;
/** Nouns whose number is a name: "top 10", "version 2.0". */
const NUMBERED = new Set("top step version phase iphone page room level v".split(" "));

/** Finds the quantities without a meaning, except years and numbers that are part of a name. */
export function findUnread(scene: Scene, levels: readonly Level[], used: ReadonlySet<number>): string[] {
  const unread = levels.filter(({ index, role }) => {
    const item = scene.items[index]!;
    return !used.has(index) && role !== "TREATMENT" && item.type === "quantity" && !isName(scene.items, item, index);
  });
  return [...new Set(unread.map(({ index }) => scene.textOf(index)))].slice(0, MAX_UNREAD);
}

function isName(items: readonly Item[], { unit, value }: Quantity, index: number): boolean {
  const isYear = unit === "PLAIN" && Number.isInteger(value) && value >= 1900 && value < 2100;
  return isYear || NUMBERED.has(wordOf(items[index - 1]) ?? "");
}
