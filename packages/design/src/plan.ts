import { type Item, type Quantity, wordOf } from "./quantity.ts";
import { PERIODS, SECONDS_A_DAY } from "./unit.ts";
import { TREATMENTS } from "./vocabulary.ts";

/** A value of the plan, with its items. */
export interface Planned<T> {
  value: T;
  first: number;
  last: number;
}

const ARMS = new Set(
  "variant variants version versions variation variations headline headlines arms options design designs subject subjects price prices text texts label labels colour colours color colors layout layouts pages treatments".split(
    " ",
  ),
);
const MAX_ARMS = 10;

/** Finds the arms: `three headlines`, `two new designs against the current one`, `A/B/C`. */
export function findArms(items: readonly Item[]): Planned<number> | undefined {
  for (const [index, item] of items.entries()) {
    if (item.type !== "quantity" || item.unit !== "PLAIN" || item.attributive || item.sign !== 0) continue;
    if (!Number.isInteger(item.value) || item.value < 1 || item.value > MAX_ARMS) continue;
    const after = items.slice(index + 1, index + 4);
    const noun = after.findIndex((word) => word.type === "word" && ARMS.has(word.text));
    if (noun < 0 || after.slice(0, noun).some(({ type }) => type !== "word")) continue;
    if (wordOf(items[index - 1]) === "top") continue;
    const value = item.value + (comparesToControl(items, index + 1 + noun) ? 1 : 0);
    if (value >= 2 && value <= MAX_ARMS) return { value, first: index, last: index + 1 + noun };
  }
  return lettersOf(items);
}

/** Returns whether the counted arms are compared with a control that is not counted. */
function comparesToControl(items: readonly Item[], noun: number): boolean {
  if (wordOf(items[noun]) === "treatments") return true;
  const after = items.slice(noun + 1, noun + 5).map(wordOf);
  return (
    /^(?:against|vs|versus)$/.test(after[0] ?? "") &&
    after.some((word) => /^(?:now|control|original|existing)$/.test(word ?? ""))
  );
}

function lettersOf(items: readonly Item[]): Planned<number> | undefined {
  const first = items.findIndex((item, index) => wordOf(item) === "a" && wordOf(items[index + 1]) === "/");
  if (first < 0) return undefined;
  let value = 1;
  while (wordOf(items[first + 2 * value - 1]) === "/" && wordOf(items[first + 2 * value]) === "abcdefghij"[value])
    value++;
  const last = first + 2 * (value - 1);
  if (value < 2 || wordOf(items[last + 1]) === "/") return undefined;
  return { value, first, last };
}

/** Finds the split in per cent: `50/50`, `80/10/10`, `90 % control, 10 % treatment`. */
export function findSplit(items: readonly Item[]): Planned<number[]> | undefined {
  for (const [index, item] of items.entries()) {
    // A later part of a list does not start a list.
    if (item.type !== "quantity" || item.attributive || wordOf(items[index - 1]) === "/") continue;
    const found = item.unit === "PLAIN" ? slashed(items, index) : named(items, index);
    if (
      found &&
      found.value.length >= 2 &&
      found.value.every((part) => part > 0) &&
      Math.abs(found.value.reduce((sum, part) => sum + part, 0) - 100) < 1e-9
    )
      return found;
  }
  return undefined;
}

function slashed(items: readonly Item[], index: number): Planned<number[]> {
  const value = [(items[index] as Quantity).value];
  let last = index;
  for (; wordOf(items[last + 1]) === "/" && value.length < MAX_ARMS; last += 2) {
    const next = items[last + 2];
    if (next?.type !== "quantity" || !(next.value > 0)) break;
    value.push(next.value);
  }
  return { value, first: index, last };
}

function named(items: readonly Item[], index: number): Planned<number[]> {
  const value: number[] = [];
  let last = index;
  for (let at = index; at < items.length && value.length < MAX_ARMS; at++) {
    const item = items[at]!;
    if (item.type === "quantity") {
      const arm = items
        .slice(at + 1, at + 3)
        .some((word) => /^(?:control|treatment|variant|test)$/.test(wordOf(word) ?? ""));
      if (item.unit !== "RATE" || !arm) break;
      value.push(100 * item.value);
      last = at + 1;
    } else if (!/^(?:,|and|to|the|control|treatment|variant|test|group|[a-d])$/.test(item.text)) break;
  }
  return { value, first: index, last };
}

const RUNS = new Set("for run runs running over within last lasting during at-most".split(" "));
const LIMITS = new Set("at-most max maximum long".split(" "));

/**
 * Finds the duration in days: `for two weeks`, `30 days at most`, `a month at most`.
 *
 * @param isMeasured whether the metric is a time as well, so that only "run" makes one a duration
 */
export function findDuration(items: readonly Item[], isMeasured: boolean): Planned<number> | undefined {
  for (const [index, item] of items.entries()) {
    const seconds = item.type === "quantity" ? secondsOf(item) : periodOf(items, index);
    if (seconds === undefined || seconds < SECONDS_A_DAY) continue;
    const last = item.type === "quantity" ? index : index + 1;
    const before = items.slice(Math.max(0, index - 3), index).map(wordOf);
    if (before.some((word) => word !== undefined && TREATMENTS.has(word))) continue;
    const runs = before.includes("run") || (!isMeasured && RUNS.has(before.at(-1) ?? ""));
    if (runs || LIMITS.has(wordOf(items[last + 1]) ?? "")) {
      return { value: Math.round(seconds / SECONDS_A_DAY), first: index, last };
    }
  }
  return undefined;
}

const secondsOf = ({ unit, value, seconds = 0, attributive }: Quantity) =>
  unit === "TIME" && !attributive ? value * seconds : undefined;

function periodOf(items: readonly Item[], index: number): number | undefined {
  return wordOf(items[index]) === "a" ? PERIODS.get(wordOf(items[index + 1]) ?? "") : undefined;
}
