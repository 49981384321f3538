import { TEXT } from "../text.ts";
import type { Effect } from "./effects.ts";

const MINUS = "−";
const signed = (value: number, digits: number) => {
  const text = Math.abs(value).toFixed(digits);
  if (Number(text) === 0) return text;
  return (value < 0 ? MINUS : "+") + text;
};

/** How many digits after the point a number of this size needs. */
const digitsOf = (size: number) => (size >= 100 ? 0 : size >= 1 ? 2 : 4);

/** A difference in the unit of its axis: percentage points for rates. */
export function toDifference(value: number, isRate: boolean, isShort = false): string {
  if (!isRate) return signed(value, isShort ? Math.max(0, digitsOf(Math.abs(value)) - 1) : digitsOf(Math.abs(value)));
  return `${signed(value * 100, isShort ? 1 : 2)}${isShort ? "" : ` ${TEXT.results.pp}`}`;
}

export function toInterval([low, high]: readonly [number, number], isRate: boolean): string {
  return TEXT.results.to(toDifference(low, isRate), toDifference(high, isRate));
}

/** The value of an arm: a percentage for rates. */
export function toArmValue(value: number, { isRate }: Pick<Effect, "isRate">): string {
  return isRate ? `${(value * 100).toFixed(2)} %` : value.toFixed(digitsOf(Math.abs(value)));
}

/** A p-value as people write it. */
export const toP = (p: number) => (p < 0.001 ? "< 0.001" : p.toFixed(3));

/** A lift, as a share of the control's value, in percent. */
export const toLift = (lift: number) => `${signed(lift * 100, 1)} %`;
