import { readdir, readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

async function pages(): Promise<string[]> {
  const docs = (await readdir(join(ROOT, "docs"))).filter((name) => name.endsWith(".md")).map((name) => `docs/${name}`);
  const packages = (await readdir(join(ROOT, "packages"))).map((name) => `packages/${name}/README.md`);
  const examples = (await readdir(join(ROOT, "examples"))).map((name) => `examples/${name}/README.md`);
  return ["README.md", "CONTRIBUTING.md", ...docs, ...packages, ...examples];
}

const read = (path: string) => readFile(join(ROOT, path), "utf8");

/** What a link's `#fragment` may be: the headings of a page, as they are linked to. */
function anchorsOf(page: string): string[] {
  const headings = [...page.matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) => title);
  return headings.map((title) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

test("every link to a file of the repository, and into a page, leads somewhere", async () => {
  const broken: string[] = [];
  for (const path of await pages()) {
    const page = await read(path).catch(() => "");
    for (const [, target = ""] of page.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)) {
      const [file = "", fragment] = target.split("#");
      const place = file === "" ? path : relative(ROOT, join(ROOT, dirname(path), file));
      const names = await readdir(dirname(join(ROOT, place))).catch(() => [] as string[]);
      const exists = place === "" || names.includes(place.split("/").at(-1) ?? "");
      const hasAnchor = !fragment || anchorsOf(await read(place).catch(() => "")).includes(fragment);
      if (!exists || !hasAnchor) broken.push(`${path}: ${target}`);
    }
  }
  expect(broken).toEqual([]);
});

test("TypeScript in the guides is a part of code that runs or is type-checked", async () => {
  const folders = (await readdir(join(ROOT, "examples"), { withFileTypes: true })).filter((entry) =>
    entry.isDirectory(),
  );
  const examples = await Promise.all(folders.map(({ name }) => read(`examples/${name}/main.ts`).catch(() => "")));
  // Examples outside of the workspace, which `pnpm first-steps` builds and runs.
  for (const [, example = ""] of (await read("pnpm-workspace.yaml")).matchAll(/"!examples\/(\S+)"/g)) {
    const files = await readdir(join(ROOT, "examples", example), { recursive: true });
    for (const file of files) if (/\.(ts|js|mjs)$/.test(file)) examples.push(await read(`examples/${example}/${file}`));
  }
  // Options of other people's servers are type-checked; a test compiles and runs what `assay types` writes.
  for (const name of ["options", "clickhouse", "queue"]) examples.push(await read(`examples/testing/${name}.ts`));
  for (const name of ["types", "value-type"]) examples.push(await read(`packages/cli/src/types/${name}.test.ts`));
  const flat = (text: string) => text.replace(/\s+/g, " ").trim();
  const code = examples.map(flat);
  const foreign: string[] = [];
  // `pnpm first-steps` writes and runs the files of docs/first-steps.md.
  const isGuide = (path: string) => path.startsWith("docs/") && path !== "docs/first-steps.md";
  const guides = ["README.md", ...(await pages()).filter(isGuide)];
  for (const path of guides) {
    for (const [, text = ""] of (await read(path)).matchAll(/^```ts\n(.*?)^```$/gms)) {
      for (const part of text.split(/\n\n/).map(flat)) {
        if (!code.some((example) => example.includes(part))) foreign.push(`${path}: ${part}`);
      }
    }
  }
  expect(foreign).toEqual([]);
});
