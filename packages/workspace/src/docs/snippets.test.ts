import { type Loader, transform } from "esbuild";
import { expect, test } from "vitest";
import { type Block, readBlocks, TYPED } from "./blocks.ts";

/** The kinds of blocks in the pages. Those without a language, and these messages and tables, are what programs write. */
const KINDS = ["sh", "ts", "tsx", "js", "json", "yaml", "http", "tsv", ""];

/** Collects the blocks that a check refuses, with its reason. */
async function refusedBy(languages: string[], check: (block: Block) => unknown): Promise<string[]> {
  const refused: string[] = [];
  for (const block of await readBlocks()) {
    if (!languages.includes(block.language)) continue;
    try {
      await check(block);
    } catch (error) {
      refused.push(`${block.page}: ${error instanceof Error ? error.message : error}\n${block.text}`);
    }
  }
  return refused;
}

test("every block in the pages is of a kind that a test checks, or output", async () => {
  const kinds = new Set((await readBlocks()).map(({ language }) => language));
  expect([...kinds].filter((kind) => !KINDS.includes(kind))).toEqual([]);
});

test("every JSON block in the pages is JSON, as a whole or in each line", async () => {
  const parse = ({ text }: Block) => {
    const lines = text.trim().split("\n");
    for (const part of lines.length > 1 && lines.every((line) => /^\{.*\}$/.test(line)) ? lines : [text])
      JSON.parse(part);
  };
  expect(await refusedBy(["json"], parse)).toEqual([]);
});

/**
 * Recipes and guides also show parts of files: the tests of recipes apply the first ones, and
 * examples/testing/docs.test.ts finds the others in code that runs.
 */
const isPart = ({ page, language }: Block) =>
  language === "ts" && page !== TYPED && /^(CONTRIBUTING|README|docs\/.*)\.md$/.test(page);

test("every whole block of TypeScript and JavaScript in the pages compiles", async () => {
  expect(
    await refusedBy(
      ["ts", "tsx", "js"],
      (block) => isPart(block) || transform(block.text, { loader: block.language as Loader, logLevel: "silent" }),
    ),
  ).toEqual([]);
});
