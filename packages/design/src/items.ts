import { isHyphen, numberAt, shareAt, unitAt } from "./amount.ts";
import { FRACTIONS } from "./numeral.ts";
import { type Item, type Quantity, wordOf } from "./quantity.ts";
import type { Token } from "./token.ts";
import { UNIT_WORDS, type Unit, type UnitOf } from "./unit.ts";
import { isPeople } from "./vocabulary.ts";

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

/** Returns the quantity that starts at this token: sign, currency, number, scale, unit. */
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

/** Returns a quantity without a number: `double`, `a third more`, `half as many`, `half of`. */
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
