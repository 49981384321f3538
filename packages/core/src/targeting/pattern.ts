import { type CodePointTest, type Node, parsePattern } from "./pattern-syntax.ts";

/**
 * One state of the automaton. A `match` tests a code point and goes on to `next`; a `split` goes on to both at
 * once; `start` and `end` are passed at the edges of the text only; `accept` is the goal.
 */
interface State {
  kind: "match" | "split" | "start" | "end" | "accept";
  next: number;
  other: number;
  test: CodePointTest | null;
}

/**
 * Compiles a pattern to a function that tells whether it is found anywhere in a text, in time proportional to
 * pattern times text whatever either holds (Thompson's construction): no pattern that a user may write can hang
 * an evaluator. The language is a subset of `RegExp` with the `u` flag and means the same: literals, escapes,
 * classes, `.`, `* + ?`, `|`, groups and anchors.
 *
 * @throws PatternError naming what is not supported, and where.
 */
export function compilePattern(source: string): (text: string) => boolean {
  const states: State[] = [];
  const add = (kind: State["kind"], next = -1, other = -1, test: CodePointTest | null = null) =>
    states.push({ kind, next, other, test }) - 1;

  /** Adds the states of a node that lead on to `next`, and answers where they begin. */
  const build = (node: Node, next: number): number => {
    switch (node.kind) {
      case "sequence":
        return node.nodes.reduceRight((after, part) => build(part, after), next);
      case "either":
        return node.nodes.map((part) => build(part, next)).reduce((left, right) => add("split", left, right));
      case "repeat": {
        const split = add("split", -1, next);
        const begin = build(node.node, node.quantifier === "?" ? next : split);
        states[split]!.next = begin;
        return node.quantifier === "+" ? begin : split;
      }
      case "match":
        return add("match", next, -1, node.test);
      default:
        return add(node.kind, next);
    }
  };

  const begin = build(parsePattern(source), add("accept"));
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
      const { kind, next, other } = states[index]!;
      if (kind === "accept") return true;
      if (kind === "match") into.push(index);
      else if (kind === "split") pending.push(other, next);
      else if (position === (kind === "start" ? 0 : text.length)) pending.push(next);
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
      if (test!(code) && enter(next, position, upcoming)) return true;
    }
    current = upcoming;
  }
}
