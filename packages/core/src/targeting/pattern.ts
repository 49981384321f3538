import { parsePattern, type State } from "./pattern-syntax.ts";

/**
 * Compiles a pattern to a function that tells whether it is found anywhere in a text, in time proportional to
 * pattern times text whatever either holds: no pattern that a user may write can hang
 * an evaluator. The language is a subset of `RegExp` with the `u` flag and means the same: literals, escapes,
 * classes, `.`, `* + ?`, `|`, groups and anchors.
 *
 * @throws PatternError naming what is not supported, and where.
 */
export function compilePattern(source: string): (text: string) => boolean {
  const { states, begin } = parsePattern(source);
  return (text) => search(states, begin, text);
}

/** Walks all states that a text can lead to side by side; each is entered at most once for every position. */
function search(states: readonly State[], begin: number, text: string): boolean {
  const entered = new Int32Array(states.length).fill(-1);
  const pending: number[] = [];
  let current: number[] = [];

  /** Whether the goal is reached without reading on; else what is to be tested next is in `into`. */
  const enter = (first: number, position: number, into: number[]): boolean => {
    pending.push(first);
    while (pending.length > 0) {
      const index = pending.pop()!;
      if (entered[index] === position) continue;
      entered[index] = position;
      const { test, next, other } = states[index]!;
      if (test === "accept") return true;
      if (typeof test === "function") into.push(index);
      else if (test === "split") pending.push(other, next);
      else if (position === (test === "start" ? 0 : text.length)) pending.push(next);
    }
    return false;
  };

  for (let position = 0; ; ) {
    if (enter(begin, position, current)) return true;
    if (position >= text.length) return false;
    const code = text.codePointAt(position)!;
    position += code > 0xffff ? 2 : 1;
    const upcoming: number[] = [];
    for (const index of current) {
      const { test, next } = states[index]!;
      if (typeof test === "function" && test(code) && enter(next, position, upcoming)) return true;
    }
    current = upcoming;
  }
}
