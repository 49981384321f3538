import type { MarkToken, Token, WordToken } from "./token.ts";
import type { Unit } from "./unit.ts";

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

/** The text of a word or a mark; undefined for a number and a quantity. */
export const wordOf = (item: Token | Item | undefined): string | undefined =>
  item !== undefined && item.type !== "quantity" && item.type !== "number" ? item.text : undefined;

/** The value of a time in the unit of another one; other values as they are. */
export function inUnitOf(quantity: Quantity, other: Quantity | undefined): number {
  if (quantity.seconds === undefined || other?.seconds === undefined) return quantity.value;
  return round((quantity.value * quantity.seconds) / other.seconds);
}

/** Without the noise of binary fractions: 0.05 - 0.04 is 0.01. */
export const round = (value: number) => Number(value.toPrecision(12));
