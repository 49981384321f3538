import { execFileSync } from "node:child_process";
import { toJson } from "./json.ts";

const EXAMPLE = /<!-- example -->[\s\S]*?<!-- \/example -->/;
const R_BLOCK = /<!-- compare: ([\w.]+) -->\n\n```r\n([\s\S]*?)```\n\n```text\n([\s\S]*?)```/g;

/**
 * The R code of a page, its output, and the path in the example of the page where the names of the output are found.
 */
export interface RBlock {
  path: string;
  code: string;
  output: string;
}

/** Returns the page with a regenerated example. */
export function withExample(markdown: string, example: object): string {
  return markdown.replace(
    EXAMPLE,
    () => `<!-- example -->\n\n\`\`\`json\n${toJson(example)}\n\`\`\`\n\n<!-- /example -->`,
  );
}

/** Returns the blocks of R code of a page. */
export function rBlocks(markdown: string): RBlock[] {
  return [...markdown.matchAll(R_BLOCK)].map(([, path = "", code = "", output = ""]) => ({ path, code, output }));
}

/** Returns the page with regenerated R output. It needs `Rscript`. */
export function withROutput(markdown: string, root: string): string {
  return markdown.replace(R_BLOCK, (block, _path: string, code: string) => {
    const output = execFileSync("Rscript", ["-e", code], { cwd: root, encoding: "utf8" });
    return block.replace(/```text\n[\s\S]*$/, () => `\`\`\`text\n${output}\`\`\``);
  });
}

/** Parses the output of R: a name and one or more numbers per line. */
export function printed(output: string): { name: string; numbers: number[] }[] {
  return output
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .map(([name = "", ...numbers]) => ({ name, numbers: numbers.map(Number) }));
}

/**
 * Returns the numbers at a dotted path of an example, such as `metrics.0.p_value`. Those of an array or an object are
 * in order.
 */
export function numbersAt(example: object, path: string): number[] {
  const value = path.split(".").reduce<unknown>((part, key) => {
    if (Array.isArray(part) && !/^\d+$/.test(key)) return part.map((item) => (item as Record<string, unknown>)[key]);
    return part !== null && typeof part === "object" ? (part as Record<string, unknown>)[key] : undefined;
  }, example);
  return flatten(value);
}

function flatten(value: unknown): number[] {
  if (typeof value === "number") return [value];
  return value !== null && typeof value === "object" ? Object.values(value).flatMap(flatten) : [];
}
