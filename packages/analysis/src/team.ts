/** Threads that share work: each claims the next part of a phase, and none begins the next phase before all have met. */
export interface Team {
  /** Returns the number of the next part, from 0 in each phase. */
  claim(): number;
  /** Ends a phase: waits for the others. @throws Error if one of them failed or does not answer */
  meet(): void;
}

/** A team of one. */
export function createSoloTeam(): Team {
  let next = 0;
  return {
    claim: () => next++,
    meet() {
      next = 0;
    },
  };
}

const [CLAIMED, ARRIVED, PHASE, FAILED] = [0, 1, 2, 3] as const;
/** A phase takes milliseconds. A thread that ended would be waited for without end. */
const PATIENCE_MS = 60_000;

/** A team over shared memory, as one of its threads sees it. */
export interface SharedTeam extends Team {
  /** Ends the work of all threads with an error. */
  fail(): void;
}

/** Creates the memory of a team. */
export function createTeamMemory(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(4 * Int32Array.BYTES_PER_ELEMENT));
}

/** Joins a team of so many threads. */
export function joinTeam(memory: Int32Array, size: number, patienceMs = PATIENCE_MS): SharedTeam {
  function fail(): void {
    Atomics.store(memory, FAILED, 1);
    Atomics.add(memory, PHASE, 1);
    Atomics.notify(memory, PHASE);
  }

  return {
    claim: () => Atomics.add(memory, CLAIMED, 1),
    meet() {
      const phase = Atomics.load(memory, PHASE);
      if (Atomics.add(memory, ARRIVED, 1) === size - 1) {
        Atomics.store(memory, ARRIVED, 0);
        Atomics.store(memory, CLAIMED, 0);
        Atomics.add(memory, PHASE, 1);
        Atomics.notify(memory, PHASE);
      } else {
        while (Atomics.load(memory, PHASE) === phase && Atomics.load(memory, FAILED) === 0) {
          if (Atomics.wait(memory, PHASE, phase, patienceMs) === "timed-out") fail();
        }
      }
      if (Atomics.load(memory, FAILED) !== 0) throw new Error("A thread of the analysis failed");
    },
    fail,
  };
}
