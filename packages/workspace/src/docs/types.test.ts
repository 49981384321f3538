import { join } from "node:path";
import ts from "typescript";
import { beforeAll, expect, test } from "vitest";
import { type Block, ROOT, readBlocks } from "./blocks.ts";

/** The names that READMEs of packages use and do not declare, with their types. */
const READERS = {
  apiKey: "string",
  password: "string",
  definitions: 'import("@assay/core").Definitions',
  storage: 'import("@assay/server").AssayOptions["storage"]',
};

/** Returns the problems that TypeScript finds in blocks of the READMEs of packages, each as a module of its package. */
function check(blocks: Block[]): string[] {
  const files = new Map(
    blocks.map(({ page, text }, at) => [join(ROOT, page, `../src/readme-${at}.ts`), `${text}\n${readersOf(text)}`]),
  );
  const { config } = ts.readConfigFile(join(ROOT, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, ROOT);
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists } = host;
  host.readFile = (path) => files.get(path) ?? readFile(path);
  host.fileExists = (path) => files.has(path) || fileExists(path);
  const program = ts.createProgram([...files.keys()], options, host);
  return [...files.keys()].flatMap((path, at) => {
    const source = program.getSourceFile(path);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      ({ messageText }) => `${blocks[at]?.page}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`,
    );
  });
}

/** Declares what a block uses and does not make. */
function readersOf(text: string): string {
  const code = text.replaceAll(/"[^"]*"/g, "");
  const isUsed = (name: string) =>
    new RegExp(`\\b${name}\\b`).test(code) && !new RegExp(`(const|let) (\\{[^}]*)?\\b${name}\\b`).test(code);
  const used = Object.entries(READERS).filter(([name]) => isUsed(name));
  return `${used.map(([name, type]) => `declare const ${name}: ${type};\n`).join("")}export {};\n`;
}

let blocks: Block[];
beforeAll(async () => {
  const isTyped = ({ page, language }: Block) => /^packages\/.*README/.test(page) && /^tsx?$/.test(language);
  blocks = (await readBlocks()).filter(isTyped);
});

test("every block of TypeScript in the READMEs of packages has the types of what they export", () => {
  expect(blocks.length).toBeGreaterThan(15);
  expect(check(blocks)).toEqual([]);
});

test("the check finds a wrong option, a missing export and an undeclared name", () => {
  const [page = ""] = blocks.map((block) => block.page).filter((path) => path.includes("/server/"));
  const wrong = [
    'import { createAssay } from "@assay/server"; createAssay({ storrage: undefined });',
    'import { createServer } from "@assay/server";',
    'import { createAssay } from "@assay/server"; createAssay({ storage, console: consoleAssets });',
  ];
  expect(check(wrong.map((text) => ({ page, language: "ts", text })))).toEqual([
    expect.stringContaining("storrage"),
    expect.stringContaining("createServer"),
    expect.stringContaining("consoleAssets"),
  ]);
});
