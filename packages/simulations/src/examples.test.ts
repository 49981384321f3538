import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { examples } from "./examples/example.ts";
import { numbersAt, printed, rBlocks, withExample } from "./examples/page.ts";

const folder = fileURLToPath(new URL("../../../docs/statistics/", import.meta.url));
const read = (file: string) => readFileSync(folder + file, "utf8");
const pages = examples();

describe.each([...pages])("the page %s", (page, example) => {
  const text = read(`${page}.md`);

  it("shows what the engine answers today; `pnpm --filter @assay/simulations run examples` writes it", () => {
    expect(withExample(text, example)).toBe(text);
    expect(text).toContain("<!-- example -->");
  });

  it("shows an output of R that agrees with the engine", () => {
    const blocks = rBlocks(text);
    expect(blocks.length).toBe(text.split("```r\n").length - 1);
    expect(blocks.length).toBeGreaterThan(0);
    for (const { path, output } of blocks) {
      for (const { name, numbers } of printed(output)) {
        const ours = numbersAt(example, path === "all" ? name : `${path}.${name}`);
        expect(ours, name).toHaveLength(numbers.length);
        const worst = numbers.map((number, i) => Math.abs(number - ours[i]!) / Math.max(1e-6, Math.abs(number)));
        expect(Math.max(...worst), `${name}: ${numbers} in R, ${ours} here`).toBeLessThan(1e-8);
      }
    }
  });
});

describe("the documentation of statistics", () => {
  const files = readdirSync(folder).filter((file) => file.endsWith(".md"));

  it("lists every page in its index", () => {
    const index = read("index.md");
    expect(files.filter((file) => file !== "index.md" && !index.includes(`](${file})`))).toEqual([]);
    expect([...pages.keys()].filter((page) => !files.includes(`${page}.md`))).toEqual([]);
  });

  it("links only to files that are there", () => {
    const links = files.flatMap((file) =>
      [...read(file).matchAll(/\]\(([\w-]+\.\w+)(#[\w-]+)?\)/g)].map(([, to]) => to),
    );
    const there = readdirSync(folder);
    expect(links.filter((to) => to === undefined || !there.includes(to))).toEqual([]);
  });
});
