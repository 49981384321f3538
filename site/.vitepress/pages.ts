import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, extname, join, normalize, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the repository. */
export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** The folder into which typedoc writes a page for each entry point of the packages. */
export const REFERENCE = "site/reference";

const REWRITES: Record<string, string> = {
  "site/index.md": "index.md",
  "site/try-it.md": "try-it.md",
  "README.md": "overview.md",
  "CONTRIBUTING.md": "contributing.md",
};

/** The number of characters up to which a page shows a source file. */
const MAX_SHOWN = 200_000;

/** The pages that only the site has. */
export const OWN_PAGES = ["site/index.md", "site/try-it.md"];

/** Returns where a Markdown file of the repository goes in the site. */
export function rewrite(file: string): string {
  return (
    REWRITES[file] ??
    file
      .replace(/^site\//, "")
      // A folder of the repository shows its README.
      .replace(/^((?:packages|examples)\/[^/]+)\/README\.md$/, "$1.md")
  );
}

/** Returns the address of a Markdown file of the repository. */
export function pageOf(file: string): string {
  return `/${rewrite(file)}`.replace(/(?:index)?\.md$/, "");
}

/** Returns the address of the page that shows a source file or lists a folder. */
export function sourceOf(file: string): string {
  return `/source/${plain(file)}`;
}

/** Brackets of file names such as `[...path].ts` would mean a parameter. */
function plain(file: string): string {
  return file.replaceAll(/[[\]]/g, "_");
}

/**
 * Converts a link of a Markdown file that works in the repository to an address of the site.
 * @throws Error if the target does not exist
 */
export function addressOf(link: string, from: string): string {
  const [path = "", section] = link.split("#");
  const anchor = section === undefined ? "" : `#${section}`;
  if (path === "") return anchor;
  const target = normalize(join(dirname(from), decodeURIComponent(path))).replace(/\/$/, "");
  if (!existsSync(join(ROOT, target))) throw new Error(`${from} links to ${link}, which does not exist`);
  const readme = join(target, "README.md");
  if (target.endsWith(".md")) return pageOf(target) + anchor;
  return (existsSync(join(ROOT, readme)) ? pageOf(readme) : sourceOf(target)) + anchor;
}

/** The Markdown files that people read. */
export function markdownFiles(): string[] {
  return [
    "README.md",
    "CONTRIBUTING.md",
    ...filesIn("docs").filter((file) => file.endsWith(".md")),
    ...readmesIn("packages"),
    ...readmesIn("examples"),
  ];
}

/** The READMEs of the folders in a folder. */
export function readmesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder))
    .map((name) => `${folder}/${name}/README.md`)
    .filter((file) => existsSync(join(ROOT, file)));
}

export interface SourcePage {
  /** Its address below `/source/`. */
  page: string;
  /** Its Markdown. */
  content: string;
}

/** The source files and folders to which Markdown files link. */
export function sourcePages(): SourcePage[] {
  const targets = new Set<string>();
  for (const file of markdownFiles()) {
    for (const [, link] of readFileSync(join(ROOT, file), "utf8").matchAll(/(?<!!\[[^\]]*)\]\(([^()\s]+)\)/g)) {
      if (/^(?:[a-z]+:|#)/.test(link!) || /\.md(?:#.*)?$/.test(link!)) continue;
      const target = normalize(join(dirname(file), link!.split("#")[0]!)).replace(/\/$/, "");
      if (existsSync(join(ROOT, target)) && !existsSync(join(ROOT, target, "README.md"))) targets.add(target);
    }
  }
  return [...targets].map((target) => ({ page: plain(target), content: showing(target) }));
}

function showing(target: string): string {
  if (statSync(join(ROOT, target)).isDirectory()) {
    const files = filesIn(target).map((file) => `- \`${file}\``);
    return `# \`${target}/\`\n\nThis folder of the repository contains:\n\n${files.join("\n")}\n`;
  }
  if (/\.(?:png|svg)$/.test(target)) {
    return `# \`${target}\`\n\n![${target}](${relative(dirname(join("site/source", plain(target))), target)})\n`;
  }
  const text = readFileSync(join(ROOT, target), "utf8");
  if (text.length > MAX_SHOWN) return `# \`${target}\`\n\nThis file of the repository has ${text.length} characters.\n`;
  const fence = "`````";
  return `# \`${target}\`\n\n${fence}${extname(target).slice(1) || "txt"}\n${text}\n${fence}\n`;
}

function filesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("node_modules"))
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length));
}
