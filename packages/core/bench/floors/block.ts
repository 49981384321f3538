import { transform } from "../../src/platform/md5.ts";

/** Returns a function that runs the compression function of MD5 on one block: the least that a hash of an id can cost. */
export function createBlock(): () => number {
  const message = new Int32Array(16);
  const state = new Int32Array(4);
  let next = 0;
  return () => {
    message[0] = next++;
    transform(state, message, 0, state);
    return state[0]!;
  };
}
