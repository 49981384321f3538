/** Writes the reference of what the packages export, a page for each entry point. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { slug } from "github-slugger";
import { Application } from "typedoc";
import { entryPoints } from "./entry-points.ts";

const application = await Application.bootstrapWithPlugins({
  entryPoints: entryPoints().map(({ file }) => `../${file}`),
  tsconfig: "../tsconfig.json",
  plugin: ["typedoc-plugin-markdown"],
  skipErrorChecking: true,
  excludeInternal: true,
  readme: "none",
  disableSources: true,
  logLevel: "Error",
  out: "reference",
  // Options of the plugin, which typedoc's types do not know.
  ...{ outputFileStrategy: "modules", hidePageHeader: true, hideBreadcrumbs: true, useCodeBlocks: true },
});
const project = await application.convert();
if (!project) throw new Error("The packages cannot be read");
for (const module of project.children ?? []) module.name = nameOf(module.name);
await application.generateOutputs(project);
mendPages();

/** Returns what people import, such as `@assay/core/stats`, for a module that typedoc names `core/src/stats`. */
function nameOf(module: string): string {
  const found = entryPoints().find(({ file }) => file.replace(/(?:\/index)?\.ts$/, "") === `packages/${module}`);
  if (!found) throw new Error(`${module} is no entry point`);
  return found.name;
}

/**
 * Removes a number from links to sections that have none: typedoc numbers names that are the same but for their case, also
 * where it writes only one of them.
 */
function mendPages(): void {
  const pages = readdirSync("reference", { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".md"));
  const textOf = new Map(pages.map((page) => [page, readFileSync(join("reference", page), "utf8")]));
  const sectionsOf = new Map([...textOf].map(([page, text]) => [page, sections(text)]));
  for (const [page, text] of textOf) {
    const mended = text.replaceAll(
      /\]\(([^()#\s]*)#([^()\s]+)-(\d+)\)/g,
      (link, path: string, section: string, number: string) => {
        const target = path === "" ? page : join(dirname(page), path);
        return (sectionsOf.get(target)?.get(section) ?? 0) > Number(number) ? link : `](${path}#${section})`;
      },
    );
    // The search would find names of types before the pages that explain them.
    writeFileSync(join("reference", page), `---\nsearch: false\n---\n\n${mended}`);
  }
}

/** Counts the headings of a text by the section that they begin. */
function sections(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [, heading] of text.matchAll(/^#+ (.+)$/gm)) {
    const section = slug(heading!.replaceAll("\\", ""));
    counts.set(section, (counts.get(section) ?? 0) + 1);
  }
  return counts;
}
