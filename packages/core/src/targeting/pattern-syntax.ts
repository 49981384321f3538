/** Whether one code point belongs to a class, an escape or a literal. */
export type CodePointTest = (code: number) => boolean;

/**
 * One state of the automaton. A `test` reads a code point and goes on to `next`; a `split` goes on to both at once;
 * `start` and `end` are passed at the edges of the text only; `accept` is the goal.
 */
export interface State {
  test: CodePointTest | "split" | "start" | "end" | "accept";
  next: number;
  other: number;
}

/** Adds the states of a part of a pattern that lead on to `next`, and answers where they begin. */
type Build = (next: number) => number;

/** A pattern outside the supported language. */
export class PatternError extends SyntaxError {
  override readonly name = "PatternError";
}

/** A class, an escape, or a character that means itself; `.` is among the last. */
const ATOM = /\[(?:[^\\\]]|\\.)*\]|\\.|[^\\[\](){}*+?|]/suy;
const UNSUPPORTED_ESCAPE = /\\[^dDwWsSnrtfv^$\\.*+?()[\]{}|/-]/su;
const LONGEST = 1_000;

/**
 * Parses the pattern language of the MATCHES operator, a subset of `RegExp` with the `u` flag, to the states of an
 * automaton (Thompson's construction); answers them and where they begin.
 *
 * @throws PatternError for everything outside it: back-references, look-around, `{n}`, lazy quantifiers, `\b`.
 */
export function parsePattern(source: string): { states: readonly State[]; begin: number } {
  const states: State[] = [];
  let at = 0;
  const add = (test: State["test"], next = -1, other = -1) => states.push({ test, next, other }) - 1;
  const refuse = (what: string): never => {
    throw new PatternError(`Unsupported pattern: ${what} at position ${at + 1}`);
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
    return (next) => parts.map((build) => build(next)).reduce((left, right) => add("split", left, right));
  }

  function parseSequence(): Build {
    const parts: Build[] = [];
    while (at < source.length && source[at] !== "|" && source[at] !== ")") {
      const isEdge = source[at] === "^" || source[at] === "$";
      const build = parseAtom();
      const quantifier = source[at]!;
      if (!["*", "+", "?"].includes(quantifier)) {
        parts.push(build);
        continue;
      }
      if (isEdge) refuse("nothing to repeat");
      at += 1;
      parts.push((next) => {
        const split = add("split", -1, next);
        const begin = build(quantifier === "?" ? next : split);
        states[split]!.next = begin;
        return quantifier === "+" ? begin : split;
      });
    }
    return (next) => parts.reduceRight((after, build) => build(after), next);
  }

  function parseAtom(): Build {
    if (take("^")) return (next) => add("start", next);
    if (take("$")) return (next) => add("end", next);
    if (take("(?:") || take("(")) {
      const build = parseEither();
      return take(")") ? build : refuse("unclosed group");
    }
    ATOM.lastIndex = at;
    const atom = ATOM.exec(source)?.[0] ?? refuse(source[at]!);
    if (UNSUPPORTED_ESCAPE.test(atom)) refuse(atom);
    const test = createTest(atom) ?? refuse(atom);
    at += atom.length;
    return (next) => add(test, next);
  }

  if (source.length > LONGEST) refuse(`more than ${LONGEST} characters`);
  const build = parseEither();
  if (at < source.length) refuse(source[at]!);
  return { states, begin: build(add("accept")) };
}

/**
 * The platform's own `RegExp` decides about one code point at a time, where it cannot take long, and each answer is
 * kept. Null where it refuses the atom.
 */
function createTest(atom: string): CodePointTest | null {
  try {
    const native = new RegExp(`^${atom}$`, "u");
    const ascii: (boolean | undefined)[] = new Array(128);
    return (code) => {
      if (code > 127) return native.test(String.fromCodePoint(code));
      const known = ascii[code] ?? native.test(String.fromCodePoint(code));
      ascii[code] = known;
      return known;
    };
  } catch {
    return null;
  }
}
