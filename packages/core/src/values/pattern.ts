import type { Pattern } from "../format/program.ts";
import { type CodePointTest, createAtomTest } from "./pattern-atom.ts";
import { parsePattern } from "./pattern-syntax.ts";

/**
 * Compiles a pattern to a function that tells whether it is found anywhere in a text, in time proportional to
 * pattern times text whatever either holds: no pattern that a user may write can hang
 * an evaluator. The language is a subset of `RegExp` with the `u` flag and means the same: literals, escapes,
 * classes, `.`, `* + ?`, `|`, groups and anchors.
 *
 * @throws PatternError naming what is not supported, and where.
 */
export function compilePattern(source: string): (text: string) => boolean {
  return linkPattern(parsePattern(source));
}

/** Links a parsed pattern to such a function; it walks all states that a text can lead to side by side. */
export function linkPattern({ states, begin }: Pattern): (text: string) => boolean {
  // Numbers in lists of their own: several times as fast as a list of states.
  const size = states.length;
  const nexts = new Int32Array(size);
  // Of a state that splits, the other way; of one that reads, -1; of the others, what they are.
  const others = new Int32Array(size).fill(-1);
  const atoms: string[] = [];
  for (const [at, state] of states.entries()) {
    const [step, next, operand] = typeof state === "string" ? (["read", at - 1, state] as const) : state;
    nexts[at] = next;
    if (typeof operand === "string") atoms[at] = operand;
    else others[at] = operand ?? size + ["start", "end", "accept"].indexOf(step);
  }
  // Made when they are first needed: patterns are long, and few of them are ever asked.
  const tests: CodePointTest[] = [];

  return (text) => {
    const pending = new Int32Array(2 * size + 1);
    // Each state is entered at most once for every position.
    const entered = new Int32Array(size).fill(-1);
    let current = new Int32Array(size);
    let upcoming = new Int32Array(size);
    let count = 0;

    /** Whether the goal is reached without reading on; else what is to be tested next is in `upcoming`. */
    const enter = (first: number, position: number): boolean => {
      pending[0] = first;
      for (let waiting = 1; waiting > 0; ) {
        const index = pending[--waiting]!;
        if (entered[index] === position) continue;
        entered[index] = position;
        const other = others[index]!;
        if (other < 0) upcoming[count++] = index;
        else if (other < size) {
          pending[waiting++] = other;
          pending[waiting++] = nexts[index]!;
        } else if (other === size + 2) return true;
        else if (position === (other === size ? 0 : text.length)) pending[waiting++] = nexts[index]!;
      }
      return false;
    };

    for (let position = 0; ; ) {
      if (enter(begin, position)) return true;
      if (position >= text.length) return false;
      const code = text.codePointAt(position)!;
      position += code > 0xffff ? 2 : 1;
      const reading = count;
      [current, upcoming, count] = [upcoming, current, 0];
      for (let each = 0; each < reading; each++) {
        const index = current[each]!;
        const next = nexts[index]!;
        // Another state has led there already.
        if (entered[next] === position) continue;
        tests[index] ??= createAtomTest(atoms[index]!);
        if (tests[index](code) && enter(next, position)) return true;
      }
    }
  };
}
