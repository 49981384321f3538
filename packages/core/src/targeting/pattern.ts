import { type Node, parsePattern } from "./pattern-syntax.ts";

/**
 * One state of the automaton. `match` states test a code point and go on to `next`; `split` states go on to both
 * at once; `start` and `end` are passed at the edges of the text only; `accept` is the goal.
 */
interface State {
  kind: "match" | "split" | "start" | "end" | "accept";
  ranges: readonly number[];
  negated: boolean;
  next: number;
  other: number;
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
  const add = (state: Partial<State> & { kind: State["kind"] }) => {
    states.push({ ranges: [], negated: false, next: -1, other: -1, ...state });
    return states.length - 1;
  };

  /** Adds the states of a node that lead on to `next`, and answers where they begin. */
  const build = (node: Node, next: number): number => {
    switch (node.kind) {
      case "sequence":
        return node.nodes.reduceRight((after, part) => build(part, after), next);
      case "either":
        return node.nodes
          .map((part) => build(part, next))
          .reduce((left, right) => add({ kind: "split", next: left, other: right }));
      case "repeat": {
        const loop = add({ kind: "split", other: next });
        const begin = build(node.node, node.most === 1 ? next : loop);
        states[loop]!.next = begin;
        return node.least === 1 ? begin : loop;
      }
      case "set":
        return add({ kind: "match", ranges: node.ranges, negated: node.negated, next });
      default:
        return add({ kind: node.kind, next });
    }
  };

  const begin = build(parsePattern(source), add({ kind: "accept" }));
  return (text) => search(states, begin, text);
}

/** Walks all states a text can lead to side by side; each is entered at most once for every position. */
function search(states: readonly State[], begin: number, text: string): boolean {
  const entered = new Int32Array(states.length).fill(-1);
  let current: number[] = [];
  let upcoming: number[] = [];
  const pending: number[] = [];

  const enter = (first: number, position: number, into: number[]): boolean => {
    pending.push(first);
    while (pending.length > 0) {
      const index = pending.pop()!;
      if (entered[index] === position) continue;
      entered[index] = position;
      const state = states[index]!;
      if (state.kind === "accept") return true;
      if (state.kind === "match") into.push(index);
      else if (state.kind === "split") pending.push(state.other, state.next);
      else if (state.kind === "start" ? position === 0 : position === text.length) pending.push(state.next);
    }
    return false;
  };

  for (let position = 0; ; ) {
    if (enter(begin, position, current)) return true;
    if (position >= text.length) return false;
    const code = text.codePointAt(position)!;
    position += code > 0xffff ? 2 : 1;
    for (const index of current) {
      const state = states[index]!;
      if (includes(state.ranges, code) !== state.negated && enter(state.next, position, upcoming)) return true;
    }
    [current, upcoming] = [upcoming, current];
    upcoming.length = 0;
  }
}

/** Ranges are pairs of first and last code point. */
function includes(ranges: readonly number[], code: number): boolean {
  for (let index = 0; index < ranges.length; index += 2) {
    if (code >= ranges[index]! && code <= ranges[index + 1]!) return true;
  }
  return false;
}
