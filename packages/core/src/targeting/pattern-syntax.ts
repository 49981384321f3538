/** A parsed pattern. */
export type Node =
  | { kind: "sequence" | "either"; nodes: Node[] }
  | { kind: "repeat"; node: Node; least: 0 | 1; most: 1 | typeof Infinity }
  | { kind: "set"; ranges: number[]; negated: boolean }
  | { kind: "start" | "end" };

/** A pattern outside the supported language; `index` is the code point at which it leaves it. */
export class PatternError extends SyntaxError {
  override readonly name = "PatternError";
  readonly index: number;

  constructor(message: string, index: number) {
    super(`${message} at position ${index + 1}`);
    this.index = index;
  }
}

const DIGITS = [0x30, 0x39];
const WORD = [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a];
// biome-ignore format: pairs of first and last code point
const SPACE = [
  9, 13, 0x20, 0x20, 0xa0, 0xa0, 0x1680, 0x1680, 0x2000, 0x200a, 0x2028, 0x2029, 0x202f, 0x202f, 0x205f, 0x205f,
  0x3000, 0x3000, 0xfeff, 0xfeff,
];
const LINE_ENDS = [10, 10, 13, 13, 0x2028, 0x2029];
const LAST = 0x10ffff;

const CONTROLS: Record<string, number> = { n: 10, r: 13, t: 9, f: 12, v: 11 };

/**
 * Parses the pattern language of the MATCHES operator, a subset of `RegExp` with the `u` flag.
 *
 * @throws PatternError for everything outside it: back-references, look-around, `{n}`, lazy quantifiers, `\b`.
 */
export function parsePattern(source: string): Node {
  const characters = Array.from(source);
  let at = 0;
  const peek = () => characters[at];
  const refuse = (message: string, index = at): never => {
    throw new PatternError(message, index);
  };

  function parseEither(): Node {
    const nodes = [parseSequence()];
    while (peek() === "|") {
      at += 1;
      nodes.push(parseSequence());
    }
    return nodes.length === 1 ? nodes[0]! : { kind: "either", nodes };
  }

  function parseSequence(): Node {
    const nodes: Node[] = [];
    for (let next = peek(); next !== undefined && next !== "|" && next !== ")"; next = peek()) nodes.push(parseTerm());
    return { kind: "sequence", nodes };
  }

  function parseTerm(): Node {
    const node = parseAtom();
    const quantifier = peek();
    if (quantifier !== "*" && quantifier !== "+" && quantifier !== "?") return node;
    if (node.kind === "start" || node.kind === "end") refuse("Nothing to repeat");
    at += 1;
    return { kind: "repeat", node, least: quantifier === "+" ? 1 : 0, most: quantifier === "?" ? 1 : Infinity };
  }

  function parseAtom(): Node {
    const character = characters[at]!;
    at += 1;
    switch (character) {
      case "(": {
        const open = at - 1;
        if (peek() === "?") {
          if (characters[at + 1] !== ":") refuse("Only plain groups are supported");
          at += 2;
        }
        const node = parseEither();
        if (peek() !== ")") refuse("Unclosed group", open);
        at += 1;
        // A sequence of its own, so that an anchor in a group can be repeated like any group.
        return { kind: "sequence", nodes: [node] };
      }
      case "[":
        return parseClass();
      case ".":
        return { kind: "set", ranges: LINE_ENDS, negated: true };
      case "^":
        return { kind: "start" };
      case "$":
        return { kind: "end" };
      case "\\":
        return { kind: "set", ranges: parseEscape(false), negated: false };
      case "*":
      case "+":
      case "?":
        return refuse("Nothing to repeat", at - 1);
      case "{":
      case "}":
      case "]":
        return refuse(`Unsupported ${character} (a literal one is \\${character})`, at - 1);
      default:
        return { kind: "set", ranges: toRange(character), negated: false };
    }
  }

  function parseClass(): Node {
    const open = at - 1;
    const negated = peek() === "^";
    if (negated) at += 1;
    const ranges: number[] = [];
    while (peek() !== "]") {
      if (peek() === undefined) refuse("Unclosed class", open);
      const first = parseMember();
      if (peek() === "-" && characters[at + 1] !== "]" && characters[at + 1] !== undefined) {
        const dash = at;
        at += 1;
        const last = parseMember();
        if (
          first.length > 2 ||
          last.length > 2 ||
          first[0] !== first[1] ||
          last[0] !== last[1] ||
          first[0]! > last[0]!
        ) {
          refuse("Bad range in class", dash);
        }
        ranges.push(first[0]!, last[0]!);
      } else {
        ranges.push(...first);
      }
    }
    at += 1;
    return { kind: "set", ranges, negated };
  }

  function parseMember(): number[] {
    const character = characters[at]!;
    at += 1;
    return character === "\\" ? parseEscape(true) : toRange(character);
  }

  function parseEscape(inClass: boolean): number[] {
    const character = peek() ?? refuse("Nothing to escape");
    at += 1;
    switch (character) {
      case "d":
        return DIGITS;
      case "D":
        return complement(DIGITS);
      case "w":
        return WORD;
      case "W":
        return complement(WORD);
      case "s":
        return SPACE;
      case "S":
        return complement(SPACE);
    }
    const control = Object.hasOwn(CONTROLS, character) ? CONTROLS[character] : undefined;
    if (control !== undefined) return [control, control];
    if (!"^$\\.*+?()[]{}|/".includes(character) && !(inClass && character === "-"))
      refuse(`Unsupported escape \\${character}`, at - 2);
    return toRange(character);
  }

  const node = parseEither();
  if (at < characters.length) refuse("Unmatched )");
  return node;
}

function toRange(character: string): number[] {
  const code = character.codePointAt(0)!;
  return [code, code];
}

/** All code points outside sorted ranges. */
function complement(ranges: readonly number[]): number[] {
  const others: number[] = [];
  let from = 0;
  for (let index = 0; index < ranges.length; index += 2) {
    if (ranges[index]! > from) others.push(from, ranges[index]! - 1);
    from = ranges[index + 1]! + 1;
  }
  others.push(from, LAST);
  return others;
}
