import { lstat, readdir, readFile } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import ignore, { type Ignore } from "ignore";

/** A location of a flag's key in a source file. */
export interface Reference {
  key: string;
  /** Path relative to the searched folder. */
  file: string;
  /** Line number, from 1. */
  line: number;
}

/** The findings in a source tree, and the number of files searched. */
export interface Search {
  references: Reference[];
  files: number;
}

/** Folders of generated or downloaded files, as in a `.gitignore`. */
export const IGNORED = [
  "node_modules",
  ".git",
  "dist",
  "build",
  "out",
  "coverage",
  "target",
  "vendor",
  ".next",
  ".nuxt",
  ".output",
  ".svelte-kit",
  ".turbo",
  ".cache",
  ".venv",
  "__pycache__",
];

const MAX_BYTES = 2 * 1024 * 1024;
/** A possible flag key in quotes of one kind. A quote may close one text and open the next. */
const QUOTED_KEY = /(["'`])([A-Za-z0-9_][A-Za-z0-9._-]{0,254})(?=\1)/g;

/**
 * Finds the quoted keys in a file, or in every text file of a folder: in order of file and line, a key once a line.
 *
 * @param patterns what to skip besides, as lines of a `.gitignore` in that folder
 * @throws if the path cannot be read
 */
export async function searchSource(path: string, keys: ReadonlySet<string>, patterns: string[] = []): Promise<Search> {
  const root = resolve(path);
  const ignored = ignore({ ignorecase: false }).add([...IGNORED, ...patterns]);
  const search: Search = { references: [], files: 0 };
  const isFile = (await lstat(root)).isFile();
  for await (const file of isFile ? [root] : filesIn(root, root, ignored)) {
    const bytes = (await lstat(file)).size > MAX_BYTES ? null : await readFile(file);
    if (bytes === null || bytes.includes(0)) continue;
    search.files++;
    const name = isFile ? path : relative(root, file);
    bytes
      .toString("utf8")
      .split(/\r?\n/)
      .forEach((text, index) => {
        const found = new Set([...text.matchAll(QUOTED_KEY)].map((match) => match[2]!).filter((key) => keys.has(key)));
        for (const key of found) search.references.push({ key, file: name, line: index + 1 });
      });
  }
  return search;
}

/**
 * Lists the files of a folder. Does not follow symbolic links, whose target is searched elsewhere or is outside of the
 * folder.
 */
async function* filesIn(folder: string, root: string, ignored: Ignore): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    const name = relative(root, path).replaceAll(sep, "/");
    if (ignored.ignores(entry.isDirectory() ? `${name}/` : name)) continue;
    if (entry.isDirectory()) yield* filesIn(path, root, ignored);
    else if (entry.isFile()) yield path;
  }
}
