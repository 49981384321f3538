import type { Allocate } from "./memory.ts";
import { createTallyList, type TallyList } from "./tally-list.ts";

/** The value that is kept of one event type per participant. */
export type TallyOperation = "ANY" | "COUNT" | "SUM" | "VALUES" | "SUM_OR_COUNT" | "MINIMUM" | "MAXIMUM" | "LIST";

/** The plan of a tally. */
export interface TallyPlan {
  operation: TallyOperation;
  eventType: string;
  /** Milliseconds after the first exposure within which events count. */
  windowMs: number;
}

/** A run of outcomes of one event type; of each array the items from `from` to before `to`. */
export interface OutcomeBlock {
  from: number;
  to: number;
  slots: Uint32Array;
  /** Milliseconds since the participant's first exposure. */
  ages: Float64Array;
  /** Values of the events; NaN without one. */
  values: Float64Array;
}

/** The tally of every participant, a column that accumulates blocks of outcomes. */
export interface TallyColumn {
  add(block: OutcomeBlock): void;
  /**
   * Returns a copy of one number per participant from slot `from` to before `to`; NaN if a minimum or maximum has no
   * value.
   */
  cells(from: number, to: number): Float64Array;
  /** Returns all values of a LIST, by participant and then by value, so that it does not matter in which order they came. */
  list(): TallyList;
  /** Adds values of a LIST that another thread has found. */
  extend(list: TallyList): void;
}

/** One number per participant. */
export type TallyCells = Uint8Array | Uint32Array | Float64Array;

/**
 * Allocates the cells of a plan, in the smallest type that holds them: columns that fit the processor's cache are fast.
 * Null for a list.
 */
export function createTallyCells(
  { operation }: TallyPlan,
  participants: number,
  allocate: Allocate,
): TallyCells | null {
  switch (operation) {
    case "ANY":
      return allocate(Uint8Array, participants);
    case "COUNT":
    case "VALUES":
      return allocate(Uint32Array, participants);
    case "SUM":
    case "SUM_OR_COUNT":
      return allocate(Float64Array, participants);
    case "MINIMUM":
    case "MAXIMUM":
      return allocate(Float64Array, participants).fill(Number.NaN);
    case "LIST":
      return null;
  }
}

const ADDERS: Record<Exclude<TallyOperation, "LIST">, Adder> = {
  ANY: addAny,
  COUNT: addCounts,
  VALUES: addValueCounts,
  SUM: addSums,
  SUM_OR_COUNT: addSumsOrCounts,
  MINIMUM: addMinima,
  MAXIMUM: addMaxima,
};

type Adder = (column: TallyCells, block: OutcomeBlock, windowMs: number) => void;

/** Creates the column of a plan over its cells. */
export function createTallyColumn({ operation, windowMs }: TallyPlan, cells: TallyCells | null): TallyColumn {
  if (operation === "LIST" || cells === null) return createListColumn(windowMs);
  const add = ADDERS[operation];
  return {
    add: (block) => add(cells, block, windowMs),
    cells: (from, to) => new Float64Array(cells.subarray(from, to)),
    list: () => ({ values: new Float64Array(), slots: new Uint32Array() }),
    extend() {},
  };
}

function createListColumn(windowMs: number): TallyColumn {
  const list = createTallyList(windowMs);
  return { add: list.add, cells: () => new Float64Array(), list: list.sorted, extend: list.extend };
}

// Hot path: each is a separate loop over one type of array, which compiles to few instructions.

function addAny(column: TallyCells, { from, to, slots, ages }: OutcomeBlock, windowMs: number): void {
  for (let at = from; at < to; at++) if (ages[at]! <= windowMs) column[slots[at]!] = 1;
}

function addCounts(column: TallyCells, { from, to, slots, ages }: OutcomeBlock, windowMs: number): void {
  for (let at = from; at < to; at++) if (ages[at]! <= windowMs) column[slots[at]!]! += 1;
}

function addValueCounts(column: TallyCells, { from, to, slots, ages, values }: OutcomeBlock, windowMs: number): void {
  for (let at = from; at < to; at++) {
    if (ages[at]! <= windowMs && !Number.isNaN(values[at]!)) column[slots[at]!]! += 1;
  }
}

function addSums(column: TallyCells, { from, to, slots, ages, values }: OutcomeBlock, windowMs: number): void {
  for (let at = from; at < to; at++) {
    if (ages[at]! <= windowMs && !Number.isNaN(values[at]!)) column[slots[at]!]! += values[at]!;
  }
}

function addSumsOrCounts(column: TallyCells, { from, to, slots, ages, values }: OutcomeBlock, windowMs: number): void {
  for (let at = from; at < to; at++) {
    if (ages[at]! <= windowMs) column[slots[at]!]! += Number.isNaN(values[at]!) ? 1 : values[at]!;
  }
}

// The first value is compared with NaN, which is neither less nor greater.

function addMinima(column: TallyCells, { from, to, slots, ages, values }: OutcomeBlock, windowMs: number): void {
  for (let at = from; at < to; at++) {
    if (ages[at]! > windowMs || Number.isNaN(values[at]!)) continue;
    if (!(column[slots[at]!]! <= values[at]!)) column[slots[at]!] = values[at]!;
  }
}

function addMaxima(column: TallyCells, { from, to, slots, ages, values }: OutcomeBlock, windowMs: number): void {
  for (let at = from; at < to; at++) {
    if (ages[at]! > windowMs || Number.isNaN(values[at]!)) continue;
    if (!(column[slots[at]!]! >= values[at]!)) column[slots[at]!] = values[at]!;
  }
}
