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
  /** Returns all values of a LIST with their participants. */
  list(): { values: readonly number[]; slots: readonly number[] };
}

/**
 * Creates the column of a plan, in the smallest type that holds it: columns that fit the processor's cache are fast.
 */
export function createTallyColumn({ operation, windowMs }: TallyPlan, participants: number): TallyColumn {
  switch (operation) {
    case "ANY":
      return toColumn(new Uint8Array(participants), windowMs, addAny);
    case "COUNT":
      return toColumn(new Uint32Array(participants), windowMs, addCounts);
    case "VALUES":
      return toColumn(new Uint32Array(participants), windowMs, addValueCounts);
    case "SUM":
      return toColumn(new Float64Array(participants), windowMs, addSums);
    case "SUM_OR_COUNT":
      return toColumn(new Float64Array(participants), windowMs, addSumsOrCounts);
    case "MINIMUM":
      return toColumn(new Float64Array(participants).fill(Number.NaN), windowMs, addMinima);
    case "MAXIMUM":
      return toColumn(new Float64Array(participants).fill(Number.NaN), windowMs, addMaxima);
    case "LIST":
      return createList(windowMs);
  }
}

function toColumn<T extends Uint8Array | Uint32Array | Float64Array>(
  column: T,
  windowMs: number,
  add: (column: T, block: OutcomeBlock, windowMs: number) => void,
): TallyColumn {
  return {
    add: (block) => add(column, block, windowMs),
    cells: (from, to) =>
      column instanceof Float64Array ? column.slice(from, to) : new Float64Array(column.subarray(from, to)),
    list: () => ({ values: [], slots: [] }),
  };
}

function createList(windowMs: number): TallyColumn {
  const list = { values: [] as number[], slots: [] as number[] };
  return {
    add({ from, to, slots, ages, values }) {
      for (let at = from; at < to; at++) {
        if (ages[at]! > windowMs || Number.isNaN(values[at]!)) continue;
        list.values.push(values[at]!);
        list.slots.push(slots[at]!);
      }
    },
    cells: () => new Float64Array(),
    list: () => list,
  };
}

// Hot path: each is a separate loop over one type of array, which compiles to few instructions.

function addAny(column: Uint8Array, { from, to, slots, ages }: OutcomeBlock, windowMs: number): void {
  for (let at = from; at < to; at++) if (ages[at]! <= windowMs) column[slots[at]!] = 1;
}

function addCounts(column: Uint32Array, { from, to, slots, ages }: OutcomeBlock, windowMs: number): void {
  for (let at = from; at < to; at++) if (ages[at]! <= windowMs) column[slots[at]!]! += 1;
}

function addValueCounts(column: Uint32Array, { from, to, slots, ages, values }: OutcomeBlock, windowMs: number): void {
  for (let at = from; at < to; at++) {
    if (ages[at]! <= windowMs && !Number.isNaN(values[at]!)) column[slots[at]!]! += 1;
  }
}

function addSums(column: Float64Array, { from, to, slots, ages, values }: OutcomeBlock, windowMs: number): void {
  for (let at = from; at < to; at++) {
    if (ages[at]! <= windowMs && !Number.isNaN(values[at]!)) column[slots[at]!]! += values[at]!;
  }
}

function addSumsOrCounts(
  column: Float64Array,
  { from, to, slots, ages, values }: OutcomeBlock,
  windowMs: number,
): void {
  for (let at = from; at < to; at++) {
    if (ages[at]! <= windowMs) column[slots[at]!]! += Number.isNaN(values[at]!) ? 1 : values[at]!;
  }
}

// The first value is compared with NaN, which is neither less nor greater.

function addMinima(column: Float64Array, { from, to, slots, ages, values }: OutcomeBlock, windowMs: number): void {
  for (let at = from; at < to; at++) {
    if (ages[at]! > windowMs || Number.isNaN(values[at]!)) continue;
    if (!(column[slots[at]!]! <= values[at]!)) column[slots[at]!] = values[at]!;
  }
}

function addMaxima(column: Float64Array, { from, to, slots, ages, values }: OutcomeBlock, windowMs: number): void {
  for (let at = from; at < to; at++) {
    if (ages[at]! > windowMs || Number.isNaN(values[at]!)) continue;
    if (!(column[slots[at]!]! >= values[at]!)) column[slots[at]!] = values[at]!;
  }
}
