import type { Test } from "./links.ts";

/** Prevents a test from calling itself: it fails where definitions refer to each other in a circle. */
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
