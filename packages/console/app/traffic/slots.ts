import type { MutualExclusionGroup } from "@assay/client";
import { TEXT } from "../text.ts";
import type { Slot } from "./bar.tsx";

const OVER: readonly string[] = ["COMPLETED", "ARCHIVED"];
/** Slots lie on a grid of a millionth, so this removes the error of the multiplication. */
const toPercents = (fraction: number) => Math.round(fraction * 1e6) / 1e4;

/** The slots of a group without gaps: experiments, free ranges between them, and what the group may not use. */
export function toSlots({ experiments, traffic_percentage }: MutualExclusionGroup): Slot[] {
  const slots: Slot[] = [];
  let end = 0;
  const fill = (until: number) => {
    if (until > end) slots.push({ label: TEXT.traffic.free, start: end, end: until, kind: "free" });
    end = Math.max(end, until);
  };
  for (const { key, status, slot_start, slot_end } of experiments) {
    const start = toPercents(slot_start);
    // An experiment may have the range of one that has ended.
    if (
      OVER.includes(status) &&
      experiments.some((one) => one.key !== key && overlaps(one, { slot_start, slot_end }))
    ) {
      continue;
    }
    fill(start);
    slots.push({ label: key, start, end: toPercents(slot_end), kind: OVER.includes(status) ? "over" : "taken" });
    end = Math.max(end, toPercents(slot_end));
  }
  fill(traffic_percentage);
  if (end < 100) slots.push({ label: TEXT.traffic.outside, start: end, end: 100, kind: "outside" });
  return slots;
}

type Range = Pick<MutualExclusionGroup["experiments"][number], "slot_start" | "slot_end">;
const overlaps = (one: Range, other: Range) => one.slot_start < other.slot_end && other.slot_start < one.slot_end;
