import { NUMBER_WORDS, parseNumeral, SCALES } from "./numeral.ts";
import { wordOf } from "./quantity.ts";
import type { Token } from "./token.ts";
import { UNIT_WORDS, type UnitOf } from "./unit.ts";
import { isPeople } from "./vocabulary.ts";

/** Returns whether a token is a hyphen within a word: `5-star`. */
export const isHyphen = (token: Token | undefined) => token?.type === "mark" && token.text === "-" && token.joined;

/** A number in digits or in a word, before its unit is known. */
export interface Numeral {
  value: (options: { grouped: boolean }) => number;
  spelled: boolean;
  next: number;
}

/** Returns the number that starts at this token, with its scale: `1,200`, `12k`, `five`, `3 million`. */
export function numberAt(tokens: readonly Token[], index: number): Numeral | undefined {
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

/** Returns the unit that starts at this token, and the token after it. */
export function unitAt(tokens: readonly Token[], index: number): { unit: UnitOf | undefined; next: number } {
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

/** Returns the whole of a share: `4 in 100`, `7 out of every 1000`, `200 of 5,000 visitors`. */
export function shareAt(tokens: readonly Token[], number: Numeral): { scale: number; next: number } | undefined {
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
