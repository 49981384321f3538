import { FRACTIONS, NUMBER_WORDS, parseNumeral, SCALES } from "./numeral.ts";
import type { MarkToken, Token, WordToken } from "./token.ts";
import { UNIT_WORDS, type Unit, type UnitOf } from "./unit.ts";
import { isPeople } from "./vocabulary.ts";

/** A number with its unit. */
export interface Quantity {
  type: "quantity";
  value: number;
  unit: Unit;
  /** Of TIME: the length of its unit. */
  seconds?: number;
  /** 1 after `+`, -1 after `-`, 0 without a sign. */
  sign: -1 | 0 | 1;
  /** Part of a name, as in `5-star` and `14-day trial`. */
  attributive: boolean;
  /** A number in words without a unit, which rarely is a measurement: `one`. */
  spelled: boolean;
  start: number;
  end: number;
  joined: boolean;
}

/** A part of a sentence: words and marks, and quantities where there were numbers. */
export type Item = WordToken | MarkToken | Quantity;

export const wordOf = (item: Token | Item | undefined): string | undefined =>
  item !== undefined && item.type !== "quantity" && item.type !== "number" ? item.text : undefined;

/** Replaces numbers and their units by quantities. */
export function toItems(tokens: readonly Token[]): Item[] {
  const items: Item[] = [];
  for (let index = 0; index < tokens.length; ) {
    const found = quantityAt(tokens, index);
    const token = tokens[index]!;
    if (found) items.push(found.quantity);
    else if (token.type !== "number") items.push(token);
    index = found ? found.next : index + 1;
  }
  return items;
}

interface Found {
  quantity: Quantity;
  next: number;
}

/** A quantity that starts at this token: sign, currency, number, scale, unit. */
function quantityAt(tokens: readonly Token[], index: number): Found | undefined {
  const { type, text } = tokens[index]!;
  if (type === "mark" && text !== "+" && text !== "-" && !UNIT_WORDS.has(text)) return undefined;
  let next = index;
  const sign = signAt(tokens, next);
  if (sign !== 0) next++;
  const currency = UNIT_WORDS.get(wordOf(tokens[next]) ?? "");
  const prefixed = currency?.unit === "MONEY" ? currency : undefined;
  if (prefixed) next++;
  const number = numberAt(tokens, next);
  if (!number) return sign === 0 && !prefixed ? wordsAt(tokens, index) : undefined;
  next = number.next;
  const share = shareAt(tokens, number);
  const { unit: after, next: end } = unitAt(tokens, next);
  const unit: UnitOf = share
    ? { unit: "RATE", scale: share.scale }
    : (prefixed ?? after ?? { unit: "PLAIN", scale: 1 });
  next = share ? share.next : end;
  const grouped = unit.unit === "MONEY" || isPeople(wordOf(tokens[next]));
  const attributive =
    isHyphen(tokens[number.next]) &&
    tokens[number.next + 1]?.type === "word" &&
    unit.unit !== "POINTS" &&
    unit.unit !== "RATE";
  // Without the noise of binary fractions: 2.8 % is 0.028.
  const value = Number((number.value({ grouped }) * unit.scale).toPrecision(15));
  if (!Number.isFinite(value)) return undefined;
  return {
    quantity: {
      type: "quantity",
      ...unitFields(unit),
      value,
      sign,
      attributive,
      spelled: number.spelled && unit.unit === "PLAIN",
      start: tokens[index]!.start,
      end: tokens[next - 1]!.end,
      joined: tokens[index]!.joined,
    },
    next,
  };
}

function unitFields({ unit, seconds }: UnitOf): Pick<Quantity, "unit" | "seconds"> {
  return seconds === undefined ? { unit } : { unit, seconds };
}

/** `-` is a sign only before a number and after a space, or else it is a dash or a range. */
function signAt(tokens: readonly Token[], index: number): -1 | 0 | 1 {
  const mark = tokens[index];
  const next = tokens[index + 1];
  if (mark?.type !== "mark" || next === undefined) return 0;
  if (mark.text === "+") return 1;
  return mark.text === "-" && !mark.joined && next.joined ? -1 : 0;
}

interface Numeral {
  value: (options: { grouped: boolean }) => number;
  spelled: boolean;
  next: number;
}

function numberAt(tokens: readonly Token[], index: number): Numeral | undefined {
  const token = tokens[index];
  if (token === undefined || token.type === "mark") return undefined;
  const spelled = token.type === "word" ? spelledAt(tokens, index) : undefined;
  if (token.type === "word" && spelled === undefined) return undefined;
  const scale = SCALES.get(scaleWord(tokens, index + 1) ?? "");
  return {
    value: (options) =>
      (spelled ?? parseNumeral(token.text, { grouped: options.grouped && scale === undefined })) * (scale ?? 1),
    spelled: spelled !== undefined && scale === undefined,
    next: index + (scale === undefined ? 1 : 2),
  };
}

/** `half` is a number before a unit: half a point. */
function spelledAt(tokens: readonly Token[], index: number): number | undefined {
  const text = wordOf(tokens[index]) ?? "";
  if (text === "half" && unitAt(tokens, index + 1).unit !== undefined) return 0.5;
  return NUMBER_WORDS.get(text);
}

/** A letter is a scale only right behind the number: 12k. */
function scaleWord(tokens: readonly Token[], index: number): string | undefined {
  const token = tokens[index];
  if (token?.type !== "word") return undefined;
  return token.text.length > 1 || token.joined ? token.text : undefined;
}

const isHyphen = (token: Token | undefined) => token?.type === "mark" && token.text === "-" && token.joined;

function unitAt(tokens: readonly Token[], index: number): { unit: UnitOf | undefined; next: number } {
  let next = index;
  const hyphenated = isHyphen(tokens[next]) && tokens[next + 1]?.type === "word" && tokens[next + 1]!.joined;
  if (hyphenated || wordOf(tokens[next]) === "a" || wordOf(tokens[next]) === "an") next++;
  const unit = UNIT_WORDS.get(wordOf(tokens[next]) ?? "");
  if (unit === undefined) return { unit, next: index };
  next++;
  if (unit.unit !== "RATE") return { unit, next };
  // "4 %-points", "5 % points", "5 % absolute"
  const rest = isHyphen(tokens[next]) ? next + 1 : next;
  if (wordOf(tokens[rest]) === "points" || wordOf(tokens[rest]) === "absolute") {
    return { unit: { unit: "POINTS", scale: unit.scale }, next: rest + 1 };
  }
  return { unit, next };
}

/** `4 in 100`, `7 out of every 1000`, `200 of 5,000 visitors`. */
function shareAt(tokens: readonly Token[], number: Numeral): { scale: number; next: number } | undefined {
  const preposition = wordOf(tokens[number.next]);
  if (preposition !== "in" && preposition !== "out-of" && preposition !== "of") return undefined;
  const after = wordOf(tokens[number.next + 1]);
  const index = number.next + (after === "every" || after === "the" || after === "our" ? 2 : 1);
  const whole = numberAt(tokens, index);
  if (!whole || unitAt(tokens, whole.next).unit !== undefined) return undefined;
  const people = isPeople(wordOf(tokens[whole.next]));
  const [part, of] = [number.value({ grouped: true }), whole.value({ grouped: people })];
  const isShare = part > 0 && part < of && (preposition !== "of" || people || after === "every");
  return isShare ? { scale: 1 / of, next: whole.next } : undefined;
}

const MULTIPLES: ReadonlyMap<string, number> = new Map(
  Object.entries({
    double: 2,
    doubling: 2,
    doubled: 2,
    twice: 2,
    triple: 3,
    threefold: 3,
    twofold: 2,
    halve: 1 / 2,
    halving: 1 / 2,
  }),
);

/** Quantities without a number: `double`, `a third more`, `half as many`, `half of`. */
function wordsAt(tokens: readonly Token[], index: number): Found | undefined {
  const token = tokens[index]!;
  if (token.type !== "word") return undefined;
  const found = (value: number, unit: Unit, taken = 1): Found => {
    const { start, joined } = token;
    const { end } = tokens[index + taken - 1]!;
    const plain = { sign: 0, attributive: false, spelled: false } as const;
    return { quantity: { type: "quantity", value, unit, ...plain, start, end, joined }, next: index + taken };
  };
  const multiple = MULTIPLES.get(token.text);
  if (multiple !== undefined) return found(multiple, "FACTOR");
  if (token.text === "half" && wordOf(tokens[index + 1]) === "as") return found(0.5, "FACTOR");
  if (token.text === "half" && (wordOf(tokens[index - 1]) === "in" || wordOf(tokens[index - 1]) === "by")) {
    return found(0.5, "FACTOR");
  }
  const after = wordOf(tokens[index + 1]) ?? "";
  if (token.text === "half" && after === "of") return found(0.5, "RATE");
  // "a third" is a share, "the third step" is not.
  if (token.text !== "a") return undefined;
  const fraction = FRACTIONS.get(after);
  return fraction === undefined ? undefined : found(fraction, "RATE", 2);
}
