import type { Pattern } from "../format/program.ts";
import { MAX_MATCHED } from "./pattern-length.ts";

/**
 * Does what `pattern.ts` does by the platform's own `RegExp`: for pages, where a pattern that takes long keeps nobody
 * else waiting. A pattern that was parsed means the same there.
 */
export function linkPattern({ source }: Pattern): (text: string) => boolean {
  const expression = new RegExp(source, "u");
  return (text) => text.length <= MAX_MATCHED && expression.test(text);
}
