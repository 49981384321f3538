import type { Pattern } from "../format/program.ts";
import { MAX_MATCHED } from "./pattern-length.ts";

/**
 * Implements `pattern.ts` with the platform's `RegExp`, for pages, where a slow pattern delays only the user of the
 * page. Patterns that `pattern.ts` parses have the same meaning here.
 */
export function linkPattern({ source }: Pattern): (text: string) => boolean {
  // V8 finds `\B` between the two halves of a character beyond U+FFFF, unless something reads a character there.
  const expression = new RegExp(`(?=[^]|$)(?:${source})`, "u");
  return (text) => text.length <= MAX_MATCHED && expression.test(text);
}
