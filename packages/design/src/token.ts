interface Place {
  /** Start and end in the normalised text. */
  start: number;
  end: number;
  /** Whether no space separates the token from the previous one. */
  joined: boolean;
}
export interface WordToken extends Place {
  type: "word";
  /** The text in lower case, without a possessive 's. */
  text: string;
  capital: boolean;
}
export interface MarkToken extends Place {
  type: "mark";
  text: string;
}
export interface NumberToken extends Place {
  type: "number";
  text: string;
}
export type Token = WordToken | MarkToken | NumberToken;

// Each repetition of groups is bounded, so that no text makes the reader go back far.
const TOKEN = new RegExp(
  [
    String.raw`(?<number>\d{1,3}(?:,\d{3}){1,5}(?:\.\d+)?(?!,?\d)|\d{1,3}(?:\.\d{3}){1,5},\d+(?!\d)|\d{1,3}(?:\.\d{3}){2,5}(?!\d)|\d{1,3}(?:[ ']\d{3}){1,4}(?:[.,]\d{1,2})?(?![\d])|\d+[.,]\d+(?![,.]?\d)|\d+)`,
    String.raw`(?<word>p\d{2}(?:\.\d)?(?!\w)|(?:s\.d\.?|std?\.? ?dev\.?)(?!\w)|\p{L}[\p{L}\p{M}\d_]*(?:['-]\p{L}[\p{L}\p{M}\d_]*){0,5})`,
    String.raw`(?<mark>=>|->|-->|[^\s])`,
  ].join("|"),
  "giuy",
);

/** Marks that no longer mark begins with, which need no pattern. */
const PLAIN_MARKS = new Set("%/.,;:()+$€");

/** The maximum length of a text, because a character may become 18 in compatibility form. */
const MAX_TEXT_LENGTH = 10_000;

/**
 * Normalises a text: compatibility characters (`％`, `½`) as plain ones, typographic quotes, dashes and arrows as ASCII,
 * no control and format characters, single spaces.
 */
export function normalize(text: string): string {
  return text
    .normalize("NFKC")
    .slice(0, MAX_TEXT_LENGTH)
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .replaceAll(/[\p{Cf}\p{Cs}]+/gu, "")
    .replaceAll(/[‘’ʼ]/g, "'")
    .replaceAll(/[–—−‐‑]/g, "-")
    .replaceAll(/[→⇒➔➜⟶]/g, "->")
    .replaceAll("⁄", "/");
}

/** Splits normalised text into words, numbers and marks. Every character but spaces is in one token. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  while (end < text.length) {
    if (text[end] === " ") {
      end++;
      continue;
    }
    if (PLAIN_MARKS.has(text[end]!)) {
      tokens.push({
        type: "mark",
        text: text[end]!,
        start: end,
        end: end + 1,
        joined: end > 0 && text[end - 1] !== " ",
      });
      end++;
      continue;
    }
    TOKEN.lastIndex = end;
    const groups = TOKEN.exec(text)?.groups;
    const found = groups?.number ?? groups?.word ?? groups?.mark;
    if (!groups || found === undefined) throw new Error("Every character is a mark at least");
    const place = { start: end, end: end + found.length, joined: end > 0 && text[end - 1] !== " " };
    end = place.end;
    if (groups.number !== undefined) tokens.push({ type: "number", text: found, ...place });
    else if (groups.word !== undefined) tokens.push({ type: "word", ...toWord(found), ...place });
    else tokens.push({ type: "mark", text: found.endsWith(">") && found.length > 1 ? "->" : found, ...place });
  }
  return tokens;
}

function toWord(found: string) {
  const text = found.toLowerCase();
  return { text: text.replace(/'s$/, "").replace(/^(?:s\.d|std?\.? ?dev)\.?$/, "sd"), capital: found[0] !== text[0] };
}
