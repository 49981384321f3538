import type { WireCondition } from "./condition.ts";

/** The maximum length of a condition in an explanation. */
const MAX_DETAIL_LENGTH = 500;

/** Describes a condition for an explanation. */
export function describeCondition({ attribute, operator, value, case_insensitive }: WireCondition): string {
  const parts = [attribute, operator, JSON.stringify(value), case_insensitive ? "(in any letter case)" : undefined];
  const text = parts.filter((part) => part !== undefined).join(" ");
  return text.length > MAX_DETAIL_LENGTH ? `${text.slice(0, MAX_DETAIL_LENGTH)}…` : text;
}
