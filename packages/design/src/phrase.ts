import type { Token, WordToken } from "./token.ts";

/** Phrases and the word that replaces each. */
const PHRASES: Record<string, string> = {
  "per cent": "percent",
  pct: "percent",
  "percentage point": "points",
  "percentage points": "points",
  "percent points": "points",
  "percent point": "points",
  point: "points",
  pp: "points",
  ppt: "points",
  ppts: "points",
  "basis point": "bps",
  "basis points": "bps",
  bp: "bps",
  "standard deviation": "sd",
  "standard deviations": "sd",
  "std dev": "sd",
  "std deviation": "sd",
  std: "sd",
  stdev: "sd",
  stddev: "sd",
  sigma: "sd",
  σ: "sd",
  α: "alpha",
  "significance level": "alpha",
  significance: "alpha",
  "confidence level": "confidence",
  "at present": "now",
  "at the moment": "now",
  "right now": "now",
  currently: "now",
  current: "now",
  today: "now",
  present: "now",
  presently: "now",
  "so far": "now",
  "out of": "out-of",
  "instead of": "instead-of",
  "at least": "about",
  "at most": "at-most",
  "no more than": "at-most",
  "up to": "to",
  "down to": "to",
  "to be": "to",
  around: "about",
  roughly: "about",
  approximately: "about",
  some: "about",
  "don't let": "must-not",
  "do not let": "must-not",
  "must not": "must-not",
  "mustn't": "must-not",
  "should not": "must-not",
  "shouldn't": "must-not",
  "may not": "must-not",
  cannot: "must-not",
  "must stay": "must-not",
  "must remain": "must-not",
  "should stay": "must-not",
  "while keeping": "without",
  "while maintaining": "without",
  "while holding": "without",
  "no increase": "without",
  "no decrease": "without",
  "no loss": "without",
  "no drop": "without",
  "no change": "without",
  "no fall": "without",
  "no rise": "without",
  "no reduction": "without",
  "not at the expense": "without",
  guardrails: "guardrail",
  "sign up": "sign-up",
  "sign ups": "sign-ups",
  "signs up": "sign-up",
  signup: "sign-up",
  signups: "sign-ups",
  "opt in": "opt-in",
  "opt ins": "opt-ins",
  "click through": "click-through",
  email: "e-mail",
  emails: "e-mails",
  "a fortnight": "fortnight",
};

const LONGEST = 4;

/** Replaces each phrase by its word. */
export function canonicalize(tokens: readonly Token[]): Token[] {
  const result: Token[] = [];
  for (let index = 0; index < tokens.length; index++) {
    const [word, taken] = phraseAt(tokens, index);
    result.push(word);
    index += taken - 1;
  }
  return result;
}

function phraseAt(tokens: readonly Token[], index: number): [Token, taken: number] {
  const first = tokens[index]!;
  if (first.type !== "word") return [first, 1];
  const words: WordToken[] = [];
  for (const token of tokens.slice(index, index + LONGEST)) {
    if (token.type !== "word") break;
    words.push(token);
  }
  for (let taken = words.length; taken > 0; taken--) {
    const phrase = words
      .slice(0, taken)
      .map(({ text }) => text)
      .join(" ");
    const text = Object.hasOwn(PHRASES, phrase) ? PHRASES[phrase]! : undefined;
    if (text !== undefined) return [{ ...first, text, end: words[taken - 1]!.end }, taken];
  }
  return [first, 1];
}
