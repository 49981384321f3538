import { isEnd } from "./clause.ts";
import { type Item, wordOf } from "./quantity.ts";
import { PERIODS, SECONDS_A_DAY } from "./unit.ts";
import { isPeople } from "./vocabulary.ts";

/** A number of users per day, and its items. `null` for a range. */
export interface Traffic {
  daily: number | null;
  first: number;
  last: number;
}

const ACTIVE: Record<string, number> = { dau: 1, wau: 7, mau: 30 };
const MOST = 1e9;

/** Finds traffic: `12,000 users a day`, `3 million monthly visitors`, `1.2M MAU`, `weekly traffic: 70,000`. */
export function findTraffic(items: readonly Item[]): Traffic[] {
  return items.flatMap((item, index): Traffic[] => {
    if (item.type !== "quantity" || item.unit !== "PLAIN" || item.attributive || item.value < 1) return [];
    const period = periodAfter(items, index) ?? periodBefore(items, index);
    if (!period) return [];
    const dash =
      wordOf(items[index - 1]) === "-" || wordOf(items[index - 1]) === "to" || wordOf(items[index - 1]) === "and";
    if (dash && items[index - 2]?.type === "quantity") return [{ daily: null, first: index - 2, last: period.last }];
    const daily = Math.round((item.value * SECONDS_A_DAY) / period.seconds);
    return daily >= 1 && daily <= MOST ? [{ daily, first: period.first, last: period.last }] : [];
  });
}

/** Finds the period after a number of people: `users a day`, `monthly visitors`, `members enter a month`. */
function periodAfter(
  items: readonly Item[],
  index: number,
): { seconds: number; first: number; last: number } | undefined {
  let people = false;
  let seconds: number | undefined;
  for (let at = index + 1; at <= index + 6; at++) {
    const item = items[at];
    if (item === undefined || item.type === "quantity" || isEnd(item) || item.text === ",") break;
    const { text } = item;
    if (Object.hasOwn(ACTIVE, text)) return { seconds: ACTIVE[text]! * SECONDS_A_DAY, first: index, last: at };
    if (isPeople(text)) people = true;
    const period = PERIODS.get(text);
    const before = wordOf(items[at - 1]) ?? "";
    if (period !== undefined && (text.endsWith("ly") || /^(?:a|an|per|each|every|\/)$/.test(before))) seconds = period;
    if (people && seconds !== undefined) return { seconds, first: index, last: at };
  }
  return undefined;
}

/** Finds a period before the number: `weekly traffic: 70,000`, `daily visitors: 4500`, `traffic of 5000 a day`. */
function periodBefore(
  items: readonly Item[],
  index: number,
): { seconds: number; first: number; last: number } | undefined {
  for (let at = index - 1; at >= Math.max(0, index - 4); at--) {
    const word = wordOf(items[at]);
    if (word === undefined || isEnd(items[at]) || word === ",") return undefined;
    if (word !== "traffic" && !isPeople(word)) continue;
    for (const adverb of [at - 1, at - 2]) {
      const seconds = PERIODS.get(wordOf(items[adverb]) ?? "");
      if (seconds !== undefined && wordOf(items[adverb])!.endsWith("ly"))
        return { seconds, first: adverb, last: index };
    }
    const noun = PERIODS.get(wordOf(items[index + 2]) ?? "");
    const isPer = /^(?:a|an|per|each|every|\/)$/.test(wordOf(items[index + 1]) ?? "");
    return noun !== undefined && isPer ? { seconds: noun, first: at, last: index + 2 } : undefined;
  }
  return undefined;
}

/** Replaces both numbers of `out of 5,000 visitors 200 convert` by their share. */
export function joinShares(items: readonly Item[]): Item[] {
  const joined = [...items];
  for (const [index, whole] of items.entries()) {
    const before = wordOf(items[index - 1]);
    if (whole.type !== "quantity" || whole.unit !== "PLAIN" || (before !== "of" && before !== "out-of")) continue;
    if (!isPeople(wordOf(items[index + 1]))) continue;
    const at = items.findIndex((item, place) => place > index + 1 && place <= index + 5 && item.type === "quantity");
    const part = items[at];
    if (part?.type !== "quantity" || part.unit !== "PLAIN" || !(part.value > 0 && part.value < whole.value)) continue;
    joined[index] = { ...whole, attributive: true };
    joined[at] = { ...part, unit: "RATE", value: part.value / whole.value, start: whole.start };
  }
  return joined;
}
