import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));

/** The page that `pnpm first-steps` types as a whole, with the tools of others that it installs. */
export const TYPED = "docs/first-steps.md";

/** A block of code in a page. */
export interface Block {
  page: string;
  language: string;
  text: string;
}

/** Returns the pages whose commands and snippets readers try, by path. */
export async function readPages(): Promise<Map<string, string>> {
  const docs = (await readdir(join(ROOT, "docs"))).filter((name) => name.endsWith(".md")).map((name) => `docs/${name}`);
  const folders = await Promise.all(
    ["packages", "examples"].map(async (parent) =>
      (await readdir(join(ROOT, parent))).map((name) => `${parent}/${name}/README.md`),
    ),
  );
  const pages = new Map<string, string>();
  for (const path of ["README.md", "CONTRIBUTING.md", ...docs, ...folders.flat()]) {
    const text = await readFile(join(ROOT, path), "utf8").catch(() => undefined);
    if (text !== undefined) pages.set(path, text);
  }
  return pages;
}

/** Returns the blocks of all pages, without the indentation of blocks in lists. */
export async function readBlocks(): Promise<Block[]> {
  return [...(await readPages())].flatMap(([page, text]) =>
    [...text.matchAll(/^( *)```(\w*)[^\n]*\n(.*?)^\1```$/gms)].map(([, indent = "", language = "", body = ""]) => ({
      page,
      language,
      text: body.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
    })),
  );
}
