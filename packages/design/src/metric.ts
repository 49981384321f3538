import { AMOUNT_PHRASES, AMOUNTS, EVENTS, FAILING, type Polarity, RATIO_PHRASES, VERBS } from "./metric-words.ts";
import { type Item, wordOf } from "./quantity.ts";
import type { MetricKind } from "./reading.ts";
import { PERIODS } from "./unit.ts";
import { CHANGES, isPeople, isPerson } from "./vocabulary.ts";

/** A place where a sentence names a metric. */
export interface Mention {
  name: string;
  kind: MetricKind;
  /** The unit of its baseline. */
  unit: "RATE" | "MONEY" | "TIME" | "PLAIN";
  polarity: Polarity;
  /** A word that names a metric only next to a number or a change: `click`. */
  weak: boolean;
  /** The first and the last item of the mention. */
  first: number;
  last: number;
}

/** Words that end a noun phrase towards its beginning. */
const STOP = new Set(
  "a an the of in on and or our their its his her my your we with for to from by at is are was be average mean median number total should will does do this that per new now more less fewer about have get make can could would want need like as if when but so then because while without must-not not no keep keeping guardrail primary metric target goal".split(
    " ",
  ),
);
const isStop = (word: string | undefined) => word === undefined || STOP.has(word) || CHANGES.has(word);

/** Finds every mention of a metric, in the order of the sentence. */
export function findMentions(items: readonly Item[]): Mention[] {
  const mentions: Mention[] = [];
  for (let index = 0; index < items.length; index++) {
    const mention =
      perAt(items, index) ??
      phraseAt(items, index) ??
      rateAt(items, index) ??
      eventAt(items, index) ??
      verbAt(items, index);
    if (!mention) continue;
    // "revenue" of "revenue per user" was already found.
    while (mentions.length > 0 && mentions.at(-1)!.last >= mention.first) mentions.pop();
    mentions.push(mention);
    index = Math.max(index, mention.last);
  }
  return mentions;
}

const textOf = (items: readonly Item[], first: number, last: number) =>
  items
    .slice(first, last + 1)
    .map(wordOf)
    .join(" ");

/** Finds a metric with a denominator: `revenue per user`, `pages viewed per visitor`, `clicks per impression`. */
function perAt(items: readonly Item[], index: number): Mention | undefined {
  if (wordOf(items[index]) !== "per" || items[index + 1]?.type !== "word") return undefined;
  if (PERIODS.has(wordOf(items[index + 1])!)) return undefined;
  let first = index;
  while (index - first < 3 && items[first - 1]?.type === "word" && !isStop(wordOf(items[first - 1]))) first--;
  if (first === index) return undefined;
  const last = index + (items[index + 2]?.type === "word" && isPerson(wordOf(items[index + 2])) ? 2 : 1);
  const person = isPerson(wordOf(items[last]));
  const amount = amountIn(items, first, index - 1);
  const bad = items.slice(first, index).some((item) => isBad(wordOf(item)!));
  return {
    name: textOf(items, first, last),
    kind: person ? (amount ? "MEAN" : "COUNT") : "RATIO",
    unit: amount?.unit ?? "PLAIN",
    polarity: amount?.polarity ?? (bad ? "DOWN" : "UP"),
    weak: false,
    first,
    last,
  };
}

const isBad = (word: string) => EVENTS.DOWN.has(word) || FAILING.has(word) || word === "tickets";

function amountIn(items: readonly Item[], first: number, last: number) {
  for (let index = first; index <= last; index++) {
    const amount = AMOUNTS.get(wordOf(items[index])!) ?? AMOUNT_PHRASES.get(textOf(items, index, last));
    if (amount) return amount;
  }
  return undefined;
}

/** Finds a metric by its phrase: `average order value`, `load time`, `ARPU`. */
function phraseAt(items: readonly Item[], index: number): Mention | undefined {
  let longest = 0;
  while (longest < 3 && items[index + longest]?.type === "word") longest++;
  for (let length = longest; length > 0; length--) {
    const last = index + length - 1;
    const name = textOf(items, index, last);
    const place = { name, weak: false, first: index, last };
    if (RATIO_PHRASES.has(name)) return { ...place, kind: "RATIO", unit: "MONEY", polarity: "UP" };
    if (name === "time to" && items[last + 1]?.type === "word") {
      return {
        ...place,
        name: `time to ${wordOf(items[last + 1])}`,
        last: last + 1,
        kind: "MEAN",
        unit: "TIME",
        polarity: "DOWN",
      };
    }
    const amount = length === 1 ? AMOUNTS.get(name) : (AMOUNT_PHRASES.get(name) ?? durationOf(name));
    if (amount) return { ...place, ...amount, kind: "MEAN" };
  }
  return undefined;
}

/** `processing time`: a duration is better short, unless people spend it. */
function durationOf(name: string) {
  if (!/^[a-z-]+ing times?$/.test(name)) return undefined;
  const spent = /^(?:watch|listen|play|read|view)/.test(name);
  return { unit: "TIME", polarity: spent ? "UP" : "DOWN" } as const;
}

/** Finds a rate: `error rate`, `the rate`. */
function rateAt(items: readonly Item[], index: number): Mention | undefined {
  const word = wordOf(items[index]);
  if (word === "rate" || word === "rates") return rate("rate", undefined, index, index);
  const next = wordOf(items[index + 1]);
  if (items[index]?.type !== "word" || isStop(word) || (next !== "rate" && next !== "rates")) return undefined;
  return rate(`${word} rate`, EVENTS.DOWN.has(word!) || FAILING.has(word!) ? "DOWN" : "UP", index, index + 1);
}

/** Finds an event: `churn`, `sign-ups`, `failed payments`. */
function eventAt(items: readonly Item[], index: number): Mention | undefined {
  const word = wordOf(items[index]);
  if (word === undefined || items[index]!.type !== "word") return undefined;
  if (FAILING.has(word) && items[index + 1]?.type === "word" && !isStop(wordOf(items[index + 1]))) {
    return rate(`${word} ${wordOf(items[index + 1])}`, "DOWN", index, index + 1);
  }
  if (word === "trial" && /^starts?$/.test(wordOf(items[index + 1]) ?? "")) {
    return rate("trial starts", "UP", index, index + 1);
  }
  if (!EVENTS.UP.has(word) && !EVENTS.DOWN.has(word)) return undefined;
  const name = word === "conversions" ? "conversion" : word;
  return {
    ...rate(name, EVENTS.DOWN.has(word) ? "DOWN" : "UP", index, index),
    weak: VERBS.UP.has(word) || VERBS.DOWN.has(word),
  };
}

/** Finds a metric by its verb: `20 % of carts become orders`, `more people should finish`. */
function verbAt(items: readonly Item[], index: number): Mention | undefined {
  const word = wordOf(items[index]) ?? "";
  const polarity = VERBS.UP.has(word) ? "UP" : VERBS.DOWN.has(word) ? "DOWN" : undefined;
  if (!polarity) return undefined;
  const before = items.slice(Math.max(0, index - 8), index);
  const subject = before.some((item) =>
    item.type === "quantity"
      ? item.unit === "RATE"
      : item.type === "word" && (isPeople(item.text) || item.text === "we"),
  );
  return subject ? { ...rate(word, polarity, index, index), weak: true } : undefined;
}

function rate(name: string, polarity: Polarity, first: number, last: number): Mention {
  return { name, kind: "CONVERSION", unit: "RATE", polarity, weak: false, first, last };
}

/** Finds percentiles by their place: `p95`, `median`, `99th percentile`. */
export function findQuantiles(items: readonly Item[]): { quantile: number; first: number; last: number }[] {
  return items.flatMap((item, index) => {
    const word = wordOf(item);
    if (word === "median") return [{ quantile: 0.5, first: index, last: index }];
    const short = /^p(\d\d(?:\.\d)?)$/.exec(word ?? "")?.[1];
    if (short !== undefined) return toQuantile(Number(short), index, index);
    const named = item.type === "quantity" && wordOf(items[index + 2]) === "percentile";
    return named && /^(?:st|nd|rd|th)$/.test(wordOf(items[index + 1]) ?? "")
      ? toQuantile(item.value, index, index + 2)
      : [];
  });
}

function toQuantile(percent: number, first: number, last: number) {
  const quantile = Math.round(percent * 10) / 1000;
  return quantile > 0 && quantile < 1 ? [{ quantile, first, last }] : [];
}
