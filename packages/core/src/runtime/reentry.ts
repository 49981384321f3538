import type { Test } from "./links.ts";

/** Keeps a test from asking itself: where definitions refer to each other in a circle, it does not hold there. */
export function guardReentry(test: Test): Test {
  let asking = false;
  return (context, now) => {
    if (asking) return false;
    asking = true;
    try {
      return test(context, now);
    } finally {
      asking = false;
    }
  };
}
