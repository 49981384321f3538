import type { MarkToken, Token, WordToken } from "./token.ts";
import type { Unit } from "./unit.ts";

/** A number with its unit. */
export interface Quantity {
  type: "quantity";
  value: number;
  unit: Unit;
  /** For TIME: the length of the unit in seconds. */
  seconds?: number;
  /** 1 after `+`, -1 after `-`, 0 without a sign. */
  sign: -1 | 0 | 1;
  /** Whether the number is part of a name, as in `5-star` and `14-day trial`. */
  attributive: boolean;
  /** Whether the number is a word without a unit, such as `one`, which is rarely a measurement. */
  spelled: boolean;
  start: number;
  end: number;
  joined: boolean;
}

/** A part of a sentence: a word, a mark or a quantity. */
export type Item = WordToken | MarkToken | Quantity;

/** Returns the text of a word or a mark; undefined for a number and a quantity. */
export const wordOf = (item: Token | Item | undefined): string | undefined =>
  item !== undefined && item.type !== "quantity" && item.type !== "number" ? item.text : undefined;

/** Returns the value of a time in the unit of another time; other values do not change. */
export function inUnitOf(quantity: Quantity, other: Quantity | undefined): number {
  if (quantity.seconds === undefined || other?.seconds === undefined) return quantity.value;
  return round((quantity.value * quantity.seconds) / other.seconds);
}

/** Rounds to 12 digits, so that 0.05 - 0.04 is 0.01. */
export const round = (value: number) => Number(value.toPrecision(12));
