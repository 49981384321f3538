import type { Edge, Pattern } from "../format/program.ts";
import { type CodePointTest, createAtomTest } from "./pattern-atom.ts";
import { MAX_MATCHED } from "./pattern-length.ts";

/**
 * Links a parsed pattern to a function that searches a text for it. Time is proportional to pattern times text for any
 * input, so no user-written pattern can hang an evaluator. The function tracks all states that a text can lead to in
 * parallel.
 */
export function linkPattern({ states: listed, begin }: Pattern): (text: string) => boolean {
  const states = listed.map((state, at) => (typeof state === "string" ? (["read", at - 1, state] as const) : state));
  // Created on first use: patterns are long, and few of them are ever evaluated.
  const tests: CodePointTest[] = [];
  const edges: { [edge in Edge]?: RegExp } = {};

  return (text) => {
    if (text.length > MAX_MATCHED) return false;
    // Each state is entered at most once for every position, which is stored as `~position`: never 0.
    const entered = new Int32Array(states.length);
    const upcoming: number[] = [];

    /** Whether the final state is reachable without another character; otherwise `upcoming` holds the next tests. */
    const enter = (index: number, position: number): boolean => {
      while (entered[index] !== ~position) {
        entered[index] = ~position;
        const [step, next, operand] = states[index]!;
        if (step === "accept") return true;
        if (step === "read") upcoming.push(index);
        else if (step === "split") {
          if (enter(operand as number, position)) return true;
          index = next;
        } else if (step === "^") {
          if (position > 0) return false;
          index = next;
        } else {
          edges[step] ??= new RegExp(step, "y");
          edges[step].lastIndex = position;
          if (edges[step].test(text)) index = next;
        }
      }
      return false;
    };

    for (let position = 0; ; ) {
      if (enter(begin, position)) return true;
      if (position >= text.length) return false;
      const code = text.codePointAt(position)!;
      position += code > 0xffff ? 2 : 1;
      for (const index of upcoming.splice(0)) {
        const [, next, atom] = states[index]!;
        // Another state has already added it.
        if (entered[next] === ~position) continue;
        tests[index] ??= createAtomTest(atom as string);
        if (tests[index](code) && enter(next, position)) return true;
      }
    }
  };
}
