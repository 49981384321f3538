import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { ROOT, readPages, TYPED } from "./blocks.ts";
import { type Command, readCommands } from "./commands.ts";
import { findCurlProblem } from "./routes.ts";

/** Programs of others, whose options we cannot check. */
const FOREIGN = ["gzip", "cut", "openssl", "kubectl", "helm", "ln", "node", "git", "docker", "date", "bun", "deno"];
/** Packages of others that only readers install: the SDK of a host's own tracing. */
const FOREIGN_PACKAGES = ["@opentelemetry/sdk-node"];
/** Commands of pnpm and npm that are no scripts of ours. */
const OWN_COMMANDS = ["install", "i", "ci", "exec", "run", "add", "publish", "pack", "deploy", "link", "dlx", "create"];

let commands: Command[];
let pages: Map<string, string>;
beforeAll(async () => {
  const [all, texts] = await Promise.all([readCommands(), readPages()]);
  commands = all.filter(({ page }) => page !== TYPED);
  pages = texts;
});

/** Returns whether a script exists where the reader of a page runs it: in the repository, or in the folder of an example. */
function isScript(page: string, name: string): boolean {
  const folders = page.startsWith("examples/") ? ["", dirname(page)] : [""];
  return folders.some((folder) => {
    const path = join(ROOT, folder, "package.json");
    return existsSync(path) && Object.hasOwn(JSON.parse(readFileSync(path, "utf8")).scripts ?? {}, name);
  });
}

/** Collects a problem of each command, with its page. */
async function problemsOf(of: Command[], find: (words: string[], page: string) => unknown): Promise<string[]> {
  const problems: string[] = [];
  for (const { page, words } of of) {
    const problem = await Promise.resolve()
      .then(() => find([...words], page))
      .catch((error: Error) => error.message);
    if (problem) problems.push(`${page}: ${words.join(" ")}: ${problem}`);
  }
  return problems;
}

test("every curl command in the pages calls a route of the contract, with a query and a body that it accepts", async () => {
  const of = commands.filter(({ words }) => words[0] === "curl");
  expect(of.length).toBeGreaterThan(15);
  expect(await problemsOf(of, findCurlProblem)).toEqual([]);
});

test("every npm, npx and pnpm command in the pages names scripts, projects and packages that exist", async () => {
  const workspace = await readFile(join(ROOT, "pnpm-workspace.yaml"), "utf8");
  const { packageManager } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  const isPublished = (name: string) =>
    existsSync(join(ROOT, "packages", name.slice("@assay/".length), "package.json"));
  const isPackage = (name: string) =>
    name.startsWith("@assay/")
      ? isPublished(name)
      : new RegExp(`^  "?${name}"?: `, "m").test(workspace) || FOREIGN_PACKAGES.includes(name);
  const runs = commands.filter(({ words }) => ["npm", "npx", "pnpm"].includes(words[0] ?? ""));
  expect(
    await problemsOf(runs, ([program, ...words], page) => {
      const rest = words.filter((word) => !word.startsWith("-") && word !== packageManager);
      const [first = "", ...names] = rest;
      if (program === "npx" && first.startsWith("pnpm@")) return `not ${packageManager}`;
      if (program === "npm" && first === "install")
        return names.find((name) => !name.endsWith(".tgz") && !isPackage(name));
      if (first.startsWith("@assay/")) return isPublished(first) ? undefined : "no such package";
      const script = first === "run" ? names[0] : first;
      const known = OWN_COMMANDS.includes(first) && first !== "run";
      return known || isScript(page, script ?? "") ? undefined : "no such script";
    }),
  ).toEqual([]);
});

test("every script and test file that the text of a page names exists", () => {
  const missing: string[] = [];
  for (const [page, text] of pages) {
    for (const [command, script = ""] of text.matchAll(/`(?:pnpm|npm run) ([a-z][\w:-]*)/g)) {
      if (!isScript(page, script) && !OWN_COMMANDS.includes(script)) missing.push(`${page}: ${command}`);
    }
    for (const [command, path = ""] of text.matchAll(/vitest run ((?:packages|examples)\/[\w./-]+)/g)) {
      if (!existsSync(join(ROOT, path))) missing.push(`${page}: ${command}`);
    }
  }
  expect(missing).toEqual([]);
});

test("every other program in the pages is one that readers have", () => {
  const known = new Set([...FOREIGN, "assay", "curl", "npm", "npx", "pnpm"]);
  expect(commands.filter(({ words }) => !known.has(words[0] ?? "")).map(({ page, words }) => [page, words[0]])).toEqual(
    [],
  );
});
