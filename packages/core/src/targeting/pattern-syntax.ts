/** Whether one code point belongs to a class, an escape or a literal. */
export type CodePointTest = (code: number) => boolean;

/** A parsed pattern. */
export type Node =
  | { kind: "sequence" | "either"; nodes: Node[] }
  | { kind: "repeat"; node: Node; quantifier: string }
  | { kind: "match"; test: CodePointTest }
  | { kind: "start" | "end" };

/** A pattern outside the supported language. */
export class PatternError extends SyntaxError {
  override readonly name = "PatternError";
}

/** A class, an escape, or a character that means itself; `.` is among the last. */
const ATOM = /\[(?:[^\\\]]|\\.)*\]|\\.|[^\\[\](){}*+?|]/suy;
const UNSUPPORTED_ESCAPE = /\\[^dDwWsSnrtfv^$\\.*+?()[\]{}|/-]/su;
const LONGEST = 1_000;

/**
 * Parses the pattern language of the MATCHES operator, a subset of `RegExp` with the `u` flag.
 *
 * @throws PatternError for everything outside it: back-references, look-around, `{n}`, lazy quantifiers, `\b`.
 */
export function parsePattern(source: string): Node {
  let at = 0;
  const refuse = (what: string): never => {
    throw new PatternError(`Unsupported pattern: ${what} at position ${at + 1}`);
  };
  const take = (text: string) => {
    const found = source.startsWith(text, at);
    if (found) at += text.length;
    return found;
  };

  function parseEither(): Node {
    const nodes: Node[] = [];
    do nodes.push(parseSequence());
    while (take("|"));
    return { kind: "either", nodes };
  }

  function parseSequence(): Node {
    const nodes: Node[] = [];
    while (at < source.length && source[at] !== "|" && source[at] !== ")") {
      const node = parseAtom();
      const quantifier = source[at]!;
      if (!["*", "+", "?"].includes(quantifier)) {
        nodes.push(node);
        continue;
      }
      if (node.kind === "start" || node.kind === "end") refuse("nothing to repeat");
      at += 1;
      nodes.push({ kind: "repeat", node, quantifier });
    }
    return { kind: "sequence", nodes };
  }

  function parseAtom(): Node {
    if (take("^")) return { kind: "start" };
    if (take("$")) return { kind: "end" };
    if (take("(?:") || take("(")) {
      const node = parseEither();
      return take(")") ? node : refuse("unclosed group");
    }
    ATOM.lastIndex = at;
    const atom = ATOM.exec(source)?.[0] ?? refuse(source[at]!);
    if (UNSUPPORTED_ESCAPE.test(atom)) refuse(atom);
    const test = createTest(atom) ?? refuse(atom);
    at += atom.length;
    return { kind: "match", test };
  }

  if (source.length > LONGEST) refuse(`more than ${LONGEST} characters`);
  const node = parseEither();
  return at < source.length ? refuse(source[at]!) : node;
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
