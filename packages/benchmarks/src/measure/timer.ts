import { cpuOf } from "./cpu.ts";

/** Times calls of one function, by the CPU that the process uses: other processes take time, but none of this. */
export interface Timer {
  /** Returns the nanoseconds of CPU of one call, on average over a round. */
  measure(): Promise<number>;
}

type Call = (input: unknown) => unknown;
type Loop = (call: Call, inputs: readonly unknown[], times: number) => unknown;

/** The number of inputs that calls go through in turn. It is a power of two, so that the loop needs no division. */
export const INPUTS = 1_024;

/**
 * Returns a loop that is compiled for its caller alone. A loop that all functions shared would be optimised for none of
 * them, which costs the fast ones most.
 */
function createLoop(isAsync: boolean): Loop {
  const wait = isAsync ? "await " : "";
  return new Function(`return ${isAsync ? "async " : ""}(call, inputs, times) => {
    let seen;
    for (let index = 0; index < times; index++) seen = ${wait}call(inputs[index & ${INPUTS - 1}]);
    return seen;
  }`)();
}

/**
 * Creates the timer of a function, synchronous or not, and warms it up.
 *
 * @param inputs {@link INPUTS} of them
 * @param roundMs about how long a round lasts
 * @throws RangeError if there are too few inputs
 */
export async function createTimer<T>(
  call: (input: T) => unknown,
  inputs: readonly T[],
  roundMs: number,
): Promise<Timer> {
  if (inputs.length !== INPUTS) throw new RangeError(`A timer needs ${INPUTS} inputs`);
  const first = call(inputs[0]!);
  await first;
  const loop = createLoop(first instanceof Promise);
  const timed = (times: number) => cpuOf(() => loop(call as Call, inputs, times));
  let times = 1;
  let taken = await timed(times);
  while (taken < roundMs) {
    times = Math.ceil(times * Math.min(4, Math.max(1.2, (1.1 * roundMs) / taken)));
    taken = await timed(times);
  }
  for (let warm = 0; warm < 3; warm++) await timed(times);
  return { measure: async () => ((await timed(times)) * 1e6) / times };
}
