import { MessageChannel, type MessagePort, receiveMessageOnPort, type Worker } from "node:worker_threads";
import { type Accumulation, accumulate, createScratch, hasRoom, type Scratch } from "./accumulation.ts";
import { allocateShared, forget } from "./memory.ts";
import type { Span } from "./subject.ts";
import type { TallyList } from "./tally-list.ts";
import { createTeamMemory, joinTeam } from "./team.ts";
import { startThread } from "./thread.ts";

/** How long threads without work live: their memory is worth more than the milliseconds in which others start. */
const IDLE_MS = 120_000;

/** Number of rows from which threads share the work; one takes less than a tenth of a second for fewer. */
const MIN_ROWS = 500_000;

/** The threads that share the work of this one. */
export interface Crew {
  /** Number of threads that receive work now, this one included. */
  readonly size: number;
  /** Returns whether some rows are enough to share them. */
  isWorth(rows: number): boolean;
  /**
   * Adds outcomes to tallies over shared memory, and blocks this thread, which does its part, until all have finished.
   * Threads that have not started yet are not waited for.
   * @returns by thread: the lists that it has found, by tally
   */
  accumulate(work: Accumulation, spans: readonly Span[]): (TallyList | null)[][];
}

/** What a helper is started with. */
export interface HelperPost {
  port: MessagePort;
  /** Becomes 1 once the helper receives work. */
  ready: Int32Array;
}

/** Work that all threads of a team do. */
export interface SharedWork {
  work: Accumulation;
  spans: readonly Span[];
  scratch: Scratch;
  team: Int32Array;
  size: number;
}

interface Helper {
  worker: Worker;
  port: MessagePort;
  ready: Int32Array;
}

// One crew for each thread that answers questions, started by its first question about many events.
let wanted = 0;
let minRows = MIN_ROWS;
let scratch: Scratch | null = null;
let helpers: Helper[] = [];
let idle: NodeJS.Timeout | undefined;

/**
 * Sets how many threads share the work of this one, itself included, from how many rows on. This thread may block, so it
 * is never the main one.
 */
export function employ(threads: number, fromRows = MIN_ROWS): void {
  wanted = Math.max(0, threads - 1);
  minRows = fromRows;
}

/** Returns whether others share the work of this thread. */
export function isEmploying(): boolean {
  return wanted > 0;
}

/** Ends the helpers of this thread. */
export async function dismiss(): Promise<void> {
  clearTimeout(idle);
  forget();
  scratch = null;
  const all = helpers;
  helpers = [];
  await Promise.all(all.map(({ worker }) => worker.terminate()));
}

/** Starts the helpers for work on so many rows, if they have not started; null if this thread works alone. */
export function callCrew(rows: number): Crew | null {
  if (wanted === 0 || rows < minRows) return null;
  try {
    while (helpers.length < wanted) helpers.push(startHelper());
  } catch {
    // The system gives no more threads: those that there are do the work.
  }
  clearTimeout(idle);
  idle = setTimeout(dismiss, IDLE_MS).unref();
  return { size: present().length + 1, isWorth: (some) => some >= minRows, accumulate: accumulateTogether };
}

function present(): Helper[] {
  return helpers.filter(({ ready }) => Atomics.load(ready, 0) === 1);
}

function startHelper(): Helper {
  const { port1: port, port2 } = new MessageChannel();
  const ready = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const worker = startThread({ role: "helper", post: { port: port2, ready } }, [port2]);
  const helper = { worker, port, ready };
  // If one ends, the others do its part of the next question, and another takes its place.
  const leave = () => {
    helpers = helpers.filter((one) => one !== helper);
  };
  worker.on("error", leave);
  worker.on("exit", leave);
  worker.unref();
  port.unref();
  return helper;
}

function accumulateTogether(work: Accumulation, spans: readonly Span[]): (TallyList | null)[][] {
  const others = present();
  const size = others.length + 1;
  if (!scratch || !hasRoom(scratch, work, spans)) scratch = createScratch(work, spans, allocateShared);
  const memory = createTeamMemory();
  for (const { port } of others) port.postMessage({ work, spans, scratch, team: memory, size } satisfies SharedWork);
  const team = joinTeam(memory, size);
  try {
    const own = accumulate(work, spans, scratch, team);
    // A helper posts its lists before it meets the others for the last time.
    team.meet();
    return [own, ...others.map(({ port }) => receiveMessageOnPort(port)?.message as (TallyList | null)[])];
  } catch (error) {
    team.fail();
    void dismiss();
    throw error;
  }
}

/** Does the part of a helper, for as long as its thread lives. */
export function serveAsHelper({ port, ready }: HelperPost): void {
  port.on("message", ({ work, spans, scratch, team: memory, size }: SharedWork) => {
    const team = joinTeam(memory, size);
    try {
      port.postMessage(accumulate(work, spans, scratch, team));
      team.meet();
    } catch {
      // The thread that asked reports it.
      team.fail();
    }
  });
  Atomics.store(ready, 0, 1);
}
