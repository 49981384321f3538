import { type Item, wordOf } from "./quantity.ts";

const ENDS = new Set([".", ";", "!", "?"]);

/** Returns whether a sentence or a main part of it ends at this item. */
export const isEnd = (item: Item | undefined): boolean =>
  item === undefined || (item.type === "mark" && ENDS.has(item.text));

/**
 * Which items belong to what must not get worse: `without hurting revenue`, `churn must not rise`, `guardrails: a, b`.
 * Their numbers and verbs say nothing about the metric that is to be changed.
 */
export function findGuarded(items: readonly Item[]): boolean[] {
  const guarded = items.map(() => false);
  for (const [index, item] of items.entries()) {
    const word = wordOf(item);
    if (word !== "without" && word !== "must-not" && word !== "guardrail") continue;
    // A span that another one holds is guarded already.
    if (guarded[index] && guarded[index + 1]) continue;
    const announced = word === "guardrail" && /^(?::|metrics?|are|is)$/.test(wordOf(items[index + 1]) ?? "");
    let first = index;
    // "churn must not rise" and "watch latency as a guardrail" name the metric before the verb.
    if (word !== "without" && !announced) while (first > 0 && !isBreak(items, first - 1)) first--;
    let last = index;
    while (last + 1 < items.length && !(announced ? isEnd(items[last + 1]) : isBreak(items, last + 1))) last++;
    guarded.fill(true, first, last + 1);
  }
  return guarded;
}

/**
 * Returns whether a clause ends here: at the end of a sentence, at `but`, or at a comma that does not go on with
 * `which`.
 */
function isBreak(items: readonly Item[], index: number): boolean {
  const word = wordOf(items[index]);
  if (word === ",") return wordOf(items[index + 1]) !== "which";
  return isEnd(items[index]) || word === "but" || word === "while";
}
