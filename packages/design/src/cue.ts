import { isEnd } from "./clause.ts";
import type { Scene } from "./levels.ts";
import type { Mention } from "./metric.ts";
import { type Item, wordOf } from "./quantity.ts";
import { CHANGES, TREATMENTS } from "./vocabulary.ts";

/** What a quantity says about the experiment. */
export type Role = "BASELINE" | "TARGET" | "EFFECT" | "DEVIATION" | "POWER" | "ALPHA" | "CONFIDENCE" | "TREATMENT";

export interface Cue {
  role: Role;
  /** Whether a word says so. Otherwise the quantity only stands next to the metric. */
  explicit: boolean;
  /** The metric between the cue and the quantity. */
  mention?: Mention;
}

const cues = (table: Partial<Record<Role, string>>): ReadonlyMap<string, Role> =>
  new Map(
    (Object.entries(table) as [Role, string][]).flatMap(([role, words]) =>
      words.split(" ").map((word) => [word, role] as const),
    ),
  );

const BEFORE = cues({
  BASELINE: "from baseline base now than instead-of p1 control was averages mean average on over previously",
  TARGET:
    "to -> target goal want wants wanted like aim aims hope hopes happy expect expecting p2 make below under reach after desired",
  EFFECT: "by effect mde detect detectable difference change find",
  DEVIATION: "sd",
  POWER: "power",
  ALPHA: "alpha p",
  CONFIDENCE: "confidence",
});
const AFTER = cues({
  BASELINE: "now baseline mean",
  TARGET: "wanted target instead-of would",
  EFFECT: "effect",
  DEVIATION: "sd",
  POWER: "power",
  ALPHA: "alpha",
  CONFIDENCE: "confidence",
  TREATMENT: "discount discounts coupon coupons voucher vouchers cashback sale tax vat commission",
});

const OWNERS = new Set(["our", "the", "its", "their", "your", "my", "now"]);
const REACH = { before: 9, after: 3 };

/** Returns the role that the words around the quantity at `index` give it. */
export function findCue(scene: Scene, index: number): Cue | undefined {
  const { items, mentionBefore, mentionAfter } = scene;
  // "our 3 % reply rate"
  const owned = mentionAfter.get(index + 1)?.unit === "RATE" && OWNERS.has(wordOf(items[index - 1]) ?? "");
  if (owned && !cueAfter(items, index)) return { role: "BASELINE", explicit: true };
  const before = cueBefore(items, index, mentionBefore);
  const after = cueAfter(items, index);
  // "from 3 % up by a third": a change after a stated beginning is about the next number.
  // "an improvement of 2 % would be enough"
  if (after?.role === "TARGET" && before?.explicit && before.role === "EFFECT") return before;
  if (after && !(before?.explicit && before.role === "BASELINE" && after.role === "EFFECT")) return after;
  const counted = mentionAfter.get(index + 1)?.unit === "PLAIN";
  return before ?? (counted ? { role: "BASELINE", explicit: false } : undefined);
}

function cueAfter(items: readonly Item[], index: number): Cue | undefined {
  const isPair = /^(?:now|before)$/.test(wordOf(items[index - 2]) ?? "") && items[index - 3]?.type === "quantity";
  if (isPair && wordOf(items[index + 1]) === "after") return { role: "TARGET", explicit: true };
  for (let at = index + 1; at <= index + REACH.after; at++) {
    const item = items[at];
    if (item?.type !== "word" || BOUNDARIES.has(item.text)) return undefined;
    const role = AFTER.get(item.text) ?? (CHANGES.has(item.text) ? "EFFECT" : undefined);
    // What is not right behind the quantity is about another one: "5 %, sd 8".
    const near = at === index + 1 || (role !== "DEVIATION" && item.text !== "mean");
    if (role && near) return role !== "TARGET" && isBeforeNumber(items, at) ? undefined : { role, explicit: true };
  }
  return undefined;
}

/** Words after which another noun begins. */
const BOUNDARIES = new Set(["on", "of", "from", "over", "to", "and", "with", "in", "at"]);

/** Returns whether a word is about the number after it: "mean=100 sd=15", "1200 up by 60". */
function isBeforeNumber(items: readonly Item[], index: number): boolean {
  const next = /^(?:[=:(]|of|by|is|at|to)$/.test(wordOf(items[index + 1]) ?? "") ? index + 2 : index + 1;
  return items[next]?.type === "quantity";
}

function cueBefore(items: readonly Item[], index: number, mentions: ReadonlyMap<number, Mention>): Cue | undefined {
  let mention: Mention | undefined;
  let verb = false;
  for (let at = index - 1, left = REACH.before; at >= 0 && left > 0; at--, left--) {
    const item = items[at]!;
    if (item.type === "quantity" || isEnd(item)) break;
    // "sign up, 12 %": the metric belongs to what is before the comma.
    const named = at === index - 2 && wordOf(items[at + 1]) === "," ? undefined : mentions.get(at);
    if (named && !mention) {
      // "Target sign-up rate of 6 %", "from a failure rate of 4 %", "boost purchases 12 %": the words before decide.
      [mention, at, left] = [named, named.first, Math.min(left, 4)];
      verb = index - 1 === named.last;
      continue;
    }
    const word = wordOf(item)!;
    if (TREATMENTS.has(word) && !mention) return { role: "TREATMENT", explicit: true };
    // "0.8 now, 0.6 after": the word belongs to the number before it.
    if (word === "now" && items[at - 1]?.type === "quantity" && wordOf(items[at + 1]) === ",") break;
    const role = isBound(items, at) ? "TARGET" : BEFORE.get(word);
    if (mention) {
      if (role === "TARGET" && word !== "to" && word !== "like" && word !== "want")
        return { role, explicit: true, mention };
      if (role === "BASELINE") return { role, explicit: true, mention };
      if (CHANGES.has(word) && verb) return { role: "EFFECT", explicit: false, mention };
      if (item.type === "mark") break;
      continue;
    }
    if (role) return treatedBefore(items, at) ? { role: "TREATMENT", explicit: true } : { role, explicit: true };
    if (CHANGES.has(word)) return { role: "EFFECT", explicit: true };
  }
  return mention ? { role: "BASELINE", explicit: false, mention } : undefined;
}

/** "less than 5 %", but not "2 points less than 5 %". */
function isBound(items: readonly Item[], index: number): boolean {
  const compares =
    wordOf(items[index]) === "than" && /^(?:less|lower|fewer|more|higher)$/.test(wordOf(items[index - 1]) ?? "");
  return compares && items[index - 2]?.type !== "quantity";
}

/** Returns whether the cue at this place is about a treatment: "raise prices by 10 %". */
function treatedBefore(items: readonly Item[], index: number): boolean {
  const word = wordOf(items[index]);
  if (word !== "by" && word !== "from" && word !== "to") return false;
  for (let at = index - 1; at >= Math.max(0, index - 2); at--) {
    if (items[at]!.type !== "word") return false;
    if (TREATMENTS.has(wordOf(items[at])!)) return true;
  }
  return false;
}
