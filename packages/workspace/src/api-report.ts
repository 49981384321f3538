import { createHash } from "node:crypto";
import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { type Declarations, readDeclarations } from "./api-declarations.ts";
import type { GeneratedFiles } from "./generated-files.ts";
import { readPackages, type WorkspacePackage } from "./package-graph.ts";

/** The maximum length of a declaration in a report. A digest covers the rest of a longer one. */
const MAX_TEXT = 1_500;
/** The maximum length for constants, whose types are mostly inferred. `openapi.json` contains those of schemas. */
const MAX_INFERRED = 400;
const SOURCE = "@assay/source";
const NOTICE = "Written by `pnpm generate` from what the package exports; do not edit.";

/** An import path for users, such as `@assay/core/stats`. */
interface EntryPoint {
  specifier: string;
  /** The absolute path of its source file. */
  file: string;
  /** The absolute path of the package, with a trailing slash. */
  home: string;
}

/**
 * Returns the public API of every published package in the folder `packages` of a repository. For each entry point it
 * has the declaration of each exported name, then the types that they mention and no entry point exports.
 */
export function toApiReports(root: string): GeneratedFiles {
  const packages = readPackages(root, "packages").filter(({ manifest }) => !manifest.private);
  const entries = packages.map((one) => entryPointsOf(root, one));
  const declarations = readDeclarations(
    entries.flat().map(({ file }) => file),
    readOptions(),
  );
  const owners = findOwners(entries.flat(), declarations);
  return new Map(
    packages.map(({ folder, manifest }, index) => [
      `${folder}/api.md`,
      `# API of ${manifest.name}\n\n${NOTICE}\n${toSections(entries[index]!, declarations, owners)}`,
    ]),
  );
}

function entryPointsOf(root: string, { folder, manifest }: WorkspacePackage): EntryPoint[] {
  const home = `${realpathSync(join(root, folder))}/`;
  return Object.entries(manifest.exports ?? {}).flatMap(([path, target]) => {
    const source = typeof target === "object" && target && (target as Record<string, string>)[SOURCE];
    if (!source) return [];
    const file = join(home, source);
    if (!existsSync(file)) throw new Error(`${manifest.name} exports ${file}, which does not exist`);
    return [{ specifier: manifest.name + path.slice(1), file, home }];
  });
}

function readOptions(): ts.CompilerOptions {
  const path = fileURLToPath(new URL("../../../tsconfig.json", import.meta.url));
  const { config } = ts.readConfigFile(path, ts.sys.readFile);
  return ts.convertCompilerOptionsFromJson(config.compilerOptions, join(path, "..")).options;
}

/** Returns the entry point of each symbol: the first one in the package that declares it. */
function findOwners(entries: readonly EntryPoint[], declarations: Declarations): Map<ts.Symbol, [EntryPoint, string]> {
  const owners = new Map<ts.Symbol, [EntryPoint, string]>();
  for (const entry of entries) {
    for (const { name, symbol } of declarations.exportsOf(entry.file)) {
      if (!owners.has(symbol) && isDeclaredIn(entry.home, symbol, declarations)) owners.set(symbol, [entry, name]);
    }
  }
  return owners;
}

function isDeclaredIn(home: string, symbol: ts.Symbol, { filesOf }: Declarations): boolean {
  const files = filesOf(symbol);
  return files.length > 0 && files.every((file) => file.startsWith(home) && !file.includes("/node_modules/"));
}

function toSections(
  entries: readonly EntryPoint[],
  declarations: Declarations,
  owners: ReadonlyMap<ts.Symbol, readonly [EntryPoint, string]>,
): string {
  const hidden = new Map<ts.Symbol, string>();

  function show(symbol: ts.Symbol, home: string): string {
    const { texts, mentions } = declarations.declarationOf(symbol);
    for (const mention of mentions) {
      if (owners.has(mention) || hidden.has(mention) || !isDeclaredIn(home, mention, declarations)) continue;
      // The entry is set before printing, because types may mention themselves.
      hidden.set(mention, "");
      hidden.set(mention, show(mention, home));
    }
    return texts.map(cut).join("\n");
  }

  const sections = entries.map((entry) => {
    const lines = declarations.exportsOf(entry.file).map(({ name, symbol }) => {
      const [owner, ownName] = owners.get(symbol) ?? [entry, name];
      if (owner === entry && ownName === name) return show(symbol, entry.home);
      return `export { ${ownName === name ? name : `${ownName} as ${name}`} } from "${owner.specifier}";`;
    });
    return toSection(`\`${entry.specifier}\``, lines);
  });
  if (hidden.size > 0) sections.push(toSection("Mentioned above, but not exported", [...hidden.values()].sort()));
  return sections.join("");
}

function toSection(title: string, lines: readonly string[]): string {
  return `\n## ${title}\n\n\`\`\`ts\n${lines.join("\n")}\n\`\`\`\n`;
}

function cut(text: string): string {
  const limit = text.startsWith("const ") ? MAX_INFERRED : MAX_TEXT;
  if (text.length <= limit) return text;
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 12);
  return `${text.slice(0, limit)}…\n// ${text.length - limit} characters more; digest of all: ${digest}`;
}
