import type { Edge, Pattern, PatternState } from "../format/program.ts";
import { createAtomTest } from "./pattern-atom.ts";

/** Adds the states of a part of a pattern that lead on to `next`, and returns its start state. */
type Build = (next: number) => number;

/** The error of a pattern outside of the supported language. */
export class PatternError extends SyntaxError {
  override readonly name = "PatternError";
}

/** A class, an escape, or a literal character; `.` counts as literal. */
const ATOM = /\[([^\\\]]|\\.)*\]|\\.|[^\\[\](){}*+?|]/suy;
const EDGE = /[\^$]|\\[bB]/y;
const UNSUPPORTED_ESCAPE = /\\[^dDwWsSnrtfv^$\\.*+?()[\]{}|/-]/su;
const QUANTIFIER = /([*+?])|\{(\d+)(?:(,)(\d*))?\}/y;
const LONGEST = 1_000;
/** The maximum number of states and of copies, for the time of a match. Only repetitions with a number exceed it. */
const MAX_STATES = 2_000;

/**
 * Parses the pattern language of the MATCHES operator, a subset of `RegExp` with the `u` flag, to the states of an
 * automaton (Thompson's construction). Returns the states and the start state.
 *
 * @throws PatternError for everything outside it: back-references, look-around, lazy quantifiers, and for too many states.
 */
export function parsePattern(source: string): Pattern {
  const states: PatternState[] = [];
  let at = 0;
  const limit = (count: number) => count > MAX_STATES && refuse("too many repetitions");
  const add = (state: PatternState) => {
    limit(states.length);
    return states.push(state) - 1;
  };
  const refuse = (what: string): never => {
    throw new PatternError(`Unsupported pattern: ${what} at position ${at + 1}`);
  };
  const read = (what: RegExp) => {
    what.lastIndex = at;
    return what.exec(source);
  };
  const take = (text: string) => {
    const found = source.startsWith(text, at);
    if (found) at += text.length;
    return found;
  };

  function parseEither(): Build {
    const parts: Build[] = [];
    do parts.push(parseSequence());
    while (take("|"));
    return (next) => parts.map((build) => build(next)).reduce((left, right) => add(["split", left, right]));
  }

  function parseSequence(): Build {
    const parts: Build[] = [];
    while (at < source.length && source[at] !== "|" && source[at] !== ")") {
      const edge = read(EDGE)?.[0] as Edge | undefined;
      at += edge?.length ?? 0;
      const build: Build = edge ? (next) => add([edge, next]) : parseAtom();
      const quantifier = read(QUANTIFIER);
      if (quantifier === null) {
        parts.push(build);
        continue;
      }
      if (edge) refuse("nothing to repeat");
      const [text, sign, from, comma, until] = quantifier;
      const least = Number(sign ? sign === "+" : from);
      const most = sign === "?" ? 1 : sign || (comma && !until) ? Infinity : Number(until || from);
      if (least > most) refuse(text);
      parts.push((next) => repeat(build, least, most, next));
      at += text.length;
    }
    return (next) => parts.reduceRight((after, build) => build(after), next);
  }

  let copied = 0;

  /** Adds the states of a part that occurs from `least` to `most` times; `most` may be infinite. */
  function repeat(part: Build, least: number, most: number, next: number): number {
    // A part without states, such as an empty group, may be repeated too.
    const build: Build = (after) => {
      limit(++copied);
      return part(after);
    };
    let begin = next;
    let copies = least;
    if (most === Infinity) {
      const split = add(["split", -1, next]);
      const again = build(split);
      states[split] = ["split", again, next];
      // The part that repeats is the last one that is required.
      begin = least > 0 ? again : split;
      copies = least - 1;
    } else {
      for (let optional = least; optional < most; optional += 1) begin = add(["split", build(begin), next]);
    }
    for (; copies > 0; copies -= 1) begin = build(begin);
    return begin;
  }

  function parseAtom(): Build {
    if (take("(?:") || take("(")) {
      const build = parseEither();
      return take(")") ? build : refuse("unclosed group");
    }
    const atom = read(ATOM)?.[0] ?? refuse(source[at]!);
    if (UNSUPPORTED_ESCAPE.test(atom)) refuse(atom);
    // A literal character needs no test, which would cost one `RegExp` each.
    try {
      if (atom.length > 1) createAtomTest(atom);
    } catch {
      refuse(atom);
    }
    at += atom.length;
    return (next) => add(next === states.length - 1 ? atom : ["read", next, atom]);
  }

  if (source.length > LONGEST) refuse(`more than ${LONGEST} characters`);
  const build = parseEither();
  if (at < source.length) refuse(source[at]!);
  return { source, begin: build(add(["accept", -1])), states };
}
