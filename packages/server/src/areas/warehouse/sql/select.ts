import { invalid } from "../../../ground/errors.ts";

type Place = (string | number)[];

/**
 * Checks that a text is one SELECT within its surrounding parentheses, so that the displayed SQL is what runs. The
 * session, not this check, prevents writes.
 * @throws ApiError 422
 */
export function requireSelect(sql: string, loc: Place): string {
  const refuse = (why: string) => invalid(loc, why, "select");
  const text = sql.trim();
  if (!/^(select|with)\b/i.test(text)) throw refuse("Expected a SELECT, or WITH and a SELECT");
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    const pair = text.slice(at, at + 2);
    if (char === "'" || char === '"') at = endOfQuoted(text, at, loc);
    else if (char === ";") throw refuse("Only one statement, without a semicolon");
    else if (pair === "--" || pair === "/*" || char === "#") throw refuse("Comments are not allowed");
    else if (char === "$") throw refuse("Dollar quotes and parameters are not allowed");
    else if (/\p{Cc}/u.test(char) && !/\s/.test(char)) throw refuse("Control characters are not allowed");
    else if (char === "(") depth++;
    else if (char === ")" && --depth < 0) throw refuse("A closing parenthesis has no opening parenthesis");
  }
  if (depth !== 0) throw refuse("A parenthesis is not closed");
  return text;
}

/** Returns the end of the quoted text at `start`. Doubled quotes are part of it. */
function endOfQuoted(text: string, start: number, loc: Place): number {
  const quote = text[start]!;
  for (let at = start + 1; at < text.length; at++) {
    // Some dialects treat a backslash as an escape, so the end of the text would be ambiguous.
    if (text[at] === "\\") throw invalid(loc, "Backslashes in quotes are not allowed", "select");
    if (text[at] !== quote) continue;
    if (text[at + 1] !== quote) return at;
    at++;
  }
  throw invalid(loc, "A quote is not closed", "select");
}
