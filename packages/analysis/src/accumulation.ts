import { type Allocate, allocate } from "./memory.ts";
import type { Span } from "./subject.ts";
import { createTallyColumn, type TallyCells, type TallyPlan } from "./tally-column.ts";
import type { TallyList } from "./tally-list.ts";
import { createSoloTeam, type Team } from "./team.ts";

/** Number of rows that one thread sorts at once. */
const BLOCK = 1 << 17;
/** Number of blocks that are sorted before their events are added. */
const BLOCKS_A_ROUND = 8;
/** 2 to this power is the number of participants whose numbers fit a processor's own cache. */
const PARTITION_BITS = 15;
/** Maximum number of parts of the participants: a processor writes to so many places at once without waiting. */
const MAX_PARTITIONS = 128;

/** Outcomes to add to the tallies of participants: plain data over memory that threads can share. */
export interface Accumulation {
  rows: { users: Uint32Array; kinds: Uint32Array; times: Float64Array; values: Float64Array };
  /** By user: the slot, or -1. */
  slots: Int32Array;
  /** By slot: time of the first exposure. */
  since: Float64Array;
  /** Number of slots. */
  length: number;
  /** By kind: the number of the event type, below `types`; -1 for events that no tally counts. */
  typeOf: Int32Array;
  types: number;
  /** 1 if an event's age is the time since the exposure, -1 if it is the time until it. */
  sign: 1 | -1;
  /** Younger events do not count. */
  leastAge: number;
  /** Null in place of cells for a list, which each thread keeps for itself. */
  tallies: readonly { type: number; plan: TallyPlan; cells: TallyCells | null }[];
}

/** Memory in which the threads sort a round of events. */
export interface Scratch {
  slots: Uint32Array;
  /** Times, then ages. */
  ages: Float64Array;
  values: Float64Array;
  /** By block and bucket: where its events end. */
  ends: Uint32Array;
}

interface Block {
  from: number;
  to: number;
}

/** Allocates what some rows need. */
export function createScratch(work: Accumulation, spans: readonly Span[], allocate: Allocate): Scratch {
  const { rows, ends } = roomFor(work, spans);
  return {
    slots: allocate(Uint32Array, rows),
    ages: allocate(Float64Array, rows),
    values: allocate(Float64Array, rows),
    ends: allocate(Uint32Array, ends),
  };
}

/** Returns whether the memory is enough for some rows. */
export function hasRoom({ slots, ends }: Scratch, work: Accumulation, spans: readonly Span[]): boolean {
  const needed = roomFor(work, spans);
  return slots.length >= needed.rows && ends.length >= needed.ends;
}

function roomFor(work: Accumulation, spans: readonly Span[]): { rows: number; ends: number } {
  const all = blocksOf(spans);
  const blocks = Math.min(BLOCKS_A_ROUND, all.length);
  const rows = all.length === 1 ? all[0]!.to - all[0]!.from : blocks * BLOCK;
  return { rows, ends: blocks * partitionsOf(work).count * work.types };
}

function partitionsOf({ length }: Accumulation): { bits: number; count: number } {
  let bits = PARTITION_BITS;
  while (length >>> bits >= MAX_PARTITIONS) bits++;
  return { bits, count: (length >>> bits) + 1 };
}

function blocksOf(spans: readonly Span[]): Block[] {
  const blocks: Block[] = [];
  for (const { from, to } of spans) {
    for (let start = from; start < to; start += BLOCK) blocks.push({ from: start, to: Math.min(start + BLOCK, to) });
  }
  return blocks;
}

/**
 * Adds the outcomes among some rows to the tallies, together with the other threads of a team.
 *
 * Hot path: ten million rows of a million users. Adding events in the order of their arrival would wait for memory at
 * every one of them. Blocks of rows are sorted by parts of the participants first, whose numbers fit the processor's
 * cache, and by event type, so that each tally is a short loop without unpredictable branches. The events of a participant
 * keep their order: how many threads share the work changes no digit.
 *
 * @returns by tally, the list that this thread has found; null for tallies with cells
 */
export function accumulate(
  work: Accumulation,
  spans: readonly Span[],
  { slots, ages, values, ends }: Scratch,
  team: Team,
): (TallyList | null)[] {
  const { rows, typeOf, types, sign, leastAge } = work;
  const { bits, count: partitions } = partitionsOf(work);
  const buckets = partitions * types;
  const columns = work.tallies.map(({ plan, cells }) => createTallyColumn(plan, cells));
  const columnsOf = Array.from({ length: types }, (_, type) =>
    columns.filter((_, tally) => work.tallies[tally]!.type === type),
  );
  const blocks = blocksOf(spans);
  const most = blocks.reduce((size, { from, to }) => Math.max(size, to - from), 0);
  const foundSlots = new Uint32Array(most);
  const foundRows = new Uint32Array(most);

  /** Finds the outcomes of participants in a block, and counts those of each bucket. */
  function find({ from, to }: Block, firstBucket: number): number {
    const { users, kinds } = rows;
    const { slots: slotOf } = work;
    let length = 0;
    for (let row = from; row < to; row++) {
      const type = typeOf[kinds[row]!]!;
      if (type < 0) continue;
      const slot = slotOf[users[row]!]!;
      if (slot < 0) continue;
      foundSlots[length] = slot;
      foundRows[length++] = row;
      ends[firstBucket + (slot >>> bits) * types + type]! += 1;
    }
    return length;
  }

  function sort(index: number, block: Block): void {
    const first = index * buckets;
    ends.fill(0, first, first + buckets);
    const length = find(block, first);
    let next = index * BLOCK;
    for (let bucket = first; bucket < first + buckets; bucket++) {
      const count = ends[bucket]!;
      ends[bucket] = next;
      next += count;
    }
    const { kinds, times } = rows;
    for (let at = 0; at < length; at++) {
      const slot = foundSlots[at]!;
      const row = foundRows[at]!;
      const target = ends[first + (slot >>> bits) * types + typeOf[kinds[row]!]!]!++;
      slots[target] = slot;
      ages[target] = times[row]!;
      values[target] = rows.values[row]!;
    }
  }

  /** Replaces times by ages, and moves the events that count to the front. Returns their end. */
  function toAges(from: number, to: number): number {
    const { since } = work;
    let kept = from;
    for (let at = from; at < to; at++) {
      const slot = slots[at]!;
      const age = sign * (ages[at]! - since[slot]!);
      slots[kept] = slot;
      ages[kept] = age;
      values[kept] = values[at]!;
      if (age >= leastAge) kept++;
    }
    return kept;
  }

  function add(partition: number, sorted: number): void {
    for (let index = 0; index < sorted; index++) {
      const first = index * buckets + partition * types;
      let from = partition === 0 ? index * BLOCK : ends[first - 1]!;
      for (let type = 0; type < types; type++) {
        const to = ends[first + type]!;
        if (to > from) {
          const block = { from, to: toAges(from, to), slots, ages, values };
          for (const column of columnsOf[type]!) column.add(block);
        }
        from = to;
      }
    }
  }

  for (let start = 0; start < blocks.length; start += BLOCKS_A_ROUND) {
    const round = blocks.slice(start, start + BLOCKS_A_ROUND);
    for (let index = team.claim(); index < round.length; index = team.claim()) sort(index, round[index]!);
    team.meet();
    for (let index = team.claim(); index < partitions; index = team.claim()) add(index, round.length);
    team.meet();
  }
  return columns.map((column, tally) => (work.tallies[tally]!.cells ? null : column.list()));
}

/** Adds the outcomes among some rows in this thread alone. */
export function accumulateAlone(work: Accumulation, spans: readonly Span[]): (TallyList | null)[] {
  return accumulate(work, spans, createScratch(work, spans, allocate), createSoloTeam());
}
