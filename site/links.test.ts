import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { markdownFiles, pageOf } from "./.vitepress/pages.ts";

const DIST = fileURLToPath(new URL(".vitepress/dist/", import.meta.url));
const files = readdirSync(DIST, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".html"));
const textOf = new Map(files.map((file) => [file, readFileSync(join(DIST, file), "utf8")]));

/** Returns the file that a server answers an address with. */
function fileOf(address: string): string {
  const path = decodeURIComponent(address).slice(1);
  return path === "" || path.endsWith("/") ? `${path}index.html` : `${path}.html`;
}

/** The addresses that the pages link to, with the page. */
const links = [...textOf].flatMap(([file, text]) =>
  [...text.matchAll(/<a [^>]*?href="([^"]+)"/g)].map(([, link]) => ({ file, link: link!.replaceAll("&amp;", "&") })),
);

test("every Markdown file of the documentation is a page", () => {
  expect(markdownFiles().filter((file) => !textOf.has(fileOf(pageOf(file))))).toEqual([]);
});

test("every page of the documentation is in the sidebar", () => {
  const [, sidebar = ""] = /<aside class="VPSidebar(.*?)<\/aside>/s.exec(textOf.get("docs/evaluation.html")!) ?? [];
  const missing = markdownFiles().filter((file) => {
    return (
      !/^packages\/(?:benchmarks|conformance|simulations)\//.test(file) && !sidebar.includes(`href="${pageOf(file)}"`)
    );
  });
  expect(missing).toEqual([]);
});

test("every link leads to a page, and to a section that the page has", () => {
  const dead = links.filter(({ file, link }) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [path = "", section] = link.split("#");
    const target = path === "" ? file : fileOf(path);
    if (!textOf.has(target)) return !existsSync(join(DIST, path));
    return (
      section !== undefined && section !== "" && !textOf.get(target)!.includes(`id="${decodeURIComponent(section)}"`)
    );
  });
  expect([...new Set(dead.map(({ file, link }) => `${file}: ${link}`))]).toEqual([]);
});
