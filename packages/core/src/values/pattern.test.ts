import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { linkPattern } from "./pattern.ts";
import { linkPattern as linkNative } from "./pattern-native.ts";
import { PatternError, parsePattern } from "./pattern-syntax.ts";

const compilePattern = (source: string) => linkPattern(parsePattern(source));
const compileNative = (source: string) => linkNative(parsePattern(source));

/** What the language of JavaScript says; V8 alone finds `\\B` between the halves of a character beyond U+FFFF. */
const toRegExp = (source: string) => new RegExp(`(?=[^]|$)(?:${source})`, "u");

const EDGES = ["^", "$", "\\b", "\\B"];

/** Patterns of the language, over an alphabet small enough that they often match. */
const { pattern } = fc.letrec<{ pattern: string; term: string; atom: string }>((tie) => ({
  pattern: fc
    .array(
      fc.array(tie("term"), { maxLength: 3 }).map((terms) => terms.join("")),
      { minLength: 1, maxLength: 3 },
    )
    .map((branches) => branches.join("|")),
  term: fc
    .tuple(tie("atom"), fc.constantFrom("", "", "", "*", "+", "?", "{0}", "{2}", "{1,}", "{0,2}", "{2,3}"))
    .map(([atom, quantifier]) => (EDGES.includes(atom) ? atom : atom + quantifier)),
  atom: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    fc.constantFrom(
      "a",
      "b",
      "é",
      "😀",
      ".",
      ...EDGES,
      "\\d",
      "\\w",
      "\\s",
      "\\S",
      "\\D",
      "\\W",
      "\\.",
      "\\$",
      "\\n",
      "-",
    ),
    fc.constantFrom("[ab]", "[^a]", "[a-c]", "[^\\d-]", "[\\w.]", "[é-😀]", "[]", "[^]", "[-a]", "[a-]", "[\\]\\-^]"),
    tie("pattern").map((inner) => `(${inner})`),
    tie("pattern").map((inner) => `(?:${inner})`),
  ),
}));
const text = fc.string({
  unit: fc.constantFrom("a", "b", "c", "é", "😀", "1", " ", "-", ".", "\n", "$", "\ud83d"),
  maxLength: 6,
});

describe("patterns", () => {
  it("match exactly where RegExp does", () => {
    fc.assert(
      fc.property(pattern, text, (source, subject) => {
        // `RegExp` takes minutes for a few more of them, one inside of the other.
        fc.pre((source.match(/\)[*+?{]/g) ?? []).length <= 3);
        const expected = toRegExp(source).test(subject);
        expect(compilePattern(source)(subject)).toBe(expected);
        expect(compileNative(source)(subject)).toBe(expected);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ["?", [true, true, false]],
    ["*", [true, true, true]],
    ["+", [false, true, true]],
    ["{2}", [false, false, true]],
    ["{1,}", [false, true, true]],
    ["{0,1}", [true, true, false]],
    ["{0}", [true, false, false]],
    ["{1,2}", [false, true, true]],
  ])("with the quantifier %s match its number of repetitions", (quantifier, expected) => {
    const source = `^xa${quantifier}y$`;
    for (const compile of [compilePattern, compileNative]) {
      expect(["xy", "xay", "xaay"].map((subject) => compile(source)(subject))).toEqual(expected);
    }
  });

  it("match anywhere in the text unless they are anchored", () => {
    expect(compilePattern("@example\\.com$")("someone@example.com")).toBe(true);
    expect(compilePattern("^beta")("a beta")).toBe(false);
    expect(compilePattern("")("")).toBe(true);
  });

  it.each([
    "(a)\\1",
    "(?=a)",
    "(?!a)",
    "(?<=a)",
    "(?<n>a)",
    "a{2,1}",
    "a{2}?",
    "a{2}{3}",
    "a{,2}",
    "^{2}",
    "{2}",
    "{",
    "}",
    "]",
    "a*?",
    "a**",
    "\\b+",
    "\\B{2}",
    "[\\b]",
    "\\p{L}",
    "\\k",
    "\\",
    "(",
    ")",
    "a)",
    "[a",
    "[b-a]",
    "[\\d-z]",
    "*",
    "+a",
    "^*",
    "$+",
  ])("reject %s", (source) => {
    expect(() => compilePattern(source)).toThrow(PatternError);
    expect(() => compileNative(source)).toThrow(SyntaxError);
  });

  it.each([
    ["\\bcat\\b", ["cat", "a cat", "cat.", "é cat é"], ["cats", "concat", "cat1", "_cat"]],
    ["\\Bcat", ["concat", "_cat"], ["cat", "a cat"]],
    ["^\\b", ["a"], ["", " a", "é"]],
    ["\\b$", ["a", "é1"], ["", "a ", "aé"]],
    ["^\\B$", [""], ["a"]],
    ["\\B", ["😀", "ab"], ["a", "a😀a"]],
    ["(\\b|x)(\\B|y)", ["xa", "y"], ["", "é"]],
  ])("%s matches at the edges of words", (source, matching, others) => {
    for (const compile of [
      compilePattern,
      compileNative,
      (text: string) => (subject: string) => toRegExp(text).test(subject),
    ]) {
      expect(matching.filter((subject) => !compile(source)(subject))).toEqual([]);
      expect(others.filter((subject) => compile(source)(subject))).toEqual([]);
    }
  });

  it("name the unsupported part and its position", () => {
    expect(() => compilePattern("ab{x")).toThrow("Unsupported pattern: { at position 3");
  });

  it("have at most 1,000 characters", () => {
    for (const compile of [compilePattern, compileNative]) {
      expect(compile("a".repeat(1_000))("a".repeat(1_000))).toBe(true);
      expect(() => compile("a".repeat(1_001))).toThrow(SyntaxError);
    }
  });

  it("accept nothing that RegExp rejects, and match the same where both accept", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(..."ab^$.*+?()[]|-\\dwspkuxc:=!<>,{}/01é\n"), maxLength: 8 }),
        text,
        (source, subject) => {
          let found: (subject: string) => boolean;
          try {
            found = compilePattern(source);
          } catch (error) {
            expect(error).toBeInstanceOf(PatternError);
            expect(() => compileNative(source)).toThrow(SyntaxError);
            return;
          }
          const expected = toRegExp(source).test(subject);
          expect(found(subject)).toBe(expected);
          expect(compileNative(source)(subject)).toBe(expected);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it("have a limited number of states and copies, whatever they repeat", () => {
    expect(compilePattern("^(ab){900}$")("ab".repeat(900))).toBe(true);
    for (const source of [
      "a{2001}",
      "(a{50}){50}",
      "(){2001}",
      "((((){999}){999}){999}){999}",
      "a{0,99999999999999}",
    ]) {
      expect(() => compilePattern(source)).toThrow(
        new PatternError(`Unsupported pattern: too many repetitions at position ${source.length + 1}`),
      );
    }
  });

  it("take time proportional to the text, without backtracking", () => {
    expect(compilePattern("^(a+)+$")(`${"a".repeat(5_000)}b`)).toBe(false);
    expect(compilePattern("^(a+\\B)+$")(`${"a".repeat(4_000)}b`)).toBe(false);
    expect(compilePattern("^(a|a?)*(a|aa)*$")(`${"a".repeat(5_000)}b`)).toBe(false);
  });
});
