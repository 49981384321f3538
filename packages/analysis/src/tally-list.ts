import type { OutcomeBlock } from "./tally-column.ts";

/** Values with the slots of their participants. */
export interface TallyList {
  values: Float64Array;
  slots: Uint32Array;
}

/** A list that grows. */
export interface GrowingList {
  add(block: OutcomeBlock): void;
  extend(list: TallyList): void;
  /** Returns the values by participant, and then by value. */
  sorted(): TallyList;
}

/** Creates a list of the values of events whose age is within a window. */
export function createTallyList(windowMs: number): GrowingList {
  let known: TallyList = { values: new Float64Array(), slots: new Uint32Array() };
  let values: number[] = [];
  let slots: number[] = [];
  return {
    add(block) {
      for (let at = block.from; at < block.to; at++) {
        if (block.ages[at]! > windowMs || Number.isNaN(block.values[at]!)) continue;
        values.push(block.values[at]!);
        slots.push(block.slots[at]!);
      }
    },
    extend(list) {
      known = join(known, list);
    },
    sorted() {
      if (values.length > 0) known = join(known, { values: Float64Array.from(values), slots: Uint32Array.from(slots) });
      values = [];
      slots = [];
      known = sortList(known);
      return known;
    },
  };
}

function join(a: TallyList, b: TallyList): TallyList {
  const joined = {
    values: new Float64Array(a.values.length + b.values.length),
    slots: new Uint32Array(a.slots.length + b.slots.length),
  };
  joined.values.set(a.values);
  joined.values.set(b.values, a.values.length);
  joined.slots.set(a.slots);
  joined.slots.set(b.slots, a.slots.length);
  return joined;
}

/** Sorts a list by slot and value, so that no digit of a result depends on the order in which threads found them. */
function sortList({ values, slots }: TallyList): TallyList {
  // A counting sort by slot: millions of values in two passes.
  const next = new Uint32Array(slots.reduce((most, slot) => Math.max(most, slot), 0) + 2);
  for (let at = 0; at < slots.length; at++) next[slots[at]! + 1]! += 1;
  for (let slot = 1; slot < next.length; slot++) next[slot]! += next[slot - 1]!;
  const sorted = { values: new Float64Array(values.length), slots: new Uint32Array(slots.length) };
  for (let at = 0; at < slots.length; at++) {
    const place = next[slots[at]!]!++;
    sorted.slots[place] = slots[at]!;
    sorted.values[place] = values[at]!;
  }
  for (let from = 0, to = 0; from < slots.length; from = to) {
    for (to = from + 1; to < slots.length && sorted.slots[to] === sorted.slots[from]; ) to++;
    if (to > from + 1) sorted.values.subarray(from, to).sort();
  }
  return sorted;
}
