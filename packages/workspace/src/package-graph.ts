import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";

/** The dependencies and exports in a package.json. */
export interface Manifest {
  name: string;
  private?: boolean;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  exports?: Record<string, unknown>;
  imports?: Record<string, unknown>;
  publishConfig?: { exports?: Record<string, unknown>; imports?: Record<string, unknown> };
}

export interface SourceFile {
  /** From the root of the repository. */
  path: string;
  /** Module specifiers of `import`, `export … from` and `import()`, as written. */
  imports: string[];
  /** The type-only subset, which does not exist at run time. */
  types: string[];
}

export interface WorkspacePackage {
  /** From the root of the repository. */
  folder: string;
  manifest: Manifest;
  /** The files that are built and published. */
  sources: SourceFile[];
  /** The files that tests, benchmarks, configuration and the bundlers of pages load. */
  tools: SourceFile[];
}

const FOLDERS = /\/(src|app|bench|vectors|test)$/;
const TOOL = /\.(test|test-d|fixture|child|bench|config)\.ts$|\/(app|bench|vectors|test)\//;

/** Reads the packages in a folder of the repository, such as `packages`. */
export function readPackages(root: string, folder: string): WorkspacePackage[] {
  const homes = list(root, folder).filter((home) => existsSync(join(root, home, "package.json")));
  return homes.map((home) => {
    const paths = list(root, home).flatMap((path) =>
      FOLDERS.test(path) ? list(root, path, true) : path.endsWith(".ts") ? [path] : [],
    );
    const files = paths
      .filter((path) => /\.tsx?$/.test(path))
      .map((path) => toSourceFile(path, readFileSync(join(root, path), "utf8")));
    return {
      folder: home,
      manifest: JSON.parse(readFileSync(join(root, home, "package.json"), "utf8")) as Manifest,
      sources: files.filter((file) => !TOOL.test(file.path)),
      tools: files.filter((file) => TOOL.test(file.path)),
    };
  });
}

/**
 * Returns the package of a specifier: `@assay/core` for `@assay/core/stats`. Undefined for relative and `node:`
 * specifiers, and for the `imports` of the package itself.
 */
export function packageOf(specifier: string): string | undefined {
  if (/^(\.|#|node:)/.test(specifier)) return undefined;
  return /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0];
}

/** Returns the sub-path of a specifier: `./stats` for `@assay/core/stats`. */
export function subPathOf(specifier: string): string {
  return `.${specifier.slice(packageOf(specifier)?.length)}`;
}

/** Returns the target of a relative import, from the root of the repository. */
export function targetOf(file: SourceFile, specifier: string): string {
  return join(dirname(file.path), specifier);
}

function toSourceFile(path: string, text: string): SourceFile {
  const imports = ts.preProcessFile(text, true, true).importedFiles.map((file) => file.fileName);
  const values = new Set<string>();
  for (const statement of ts.createSourceFile(path, text, ts.ScriptTarget.Latest).statements) {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) continue;
    const isType = ts.isImportDeclaration(statement)
      ? statement.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword
      : statement.isTypeOnly;
    const { moduleSpecifier } = statement;
    if (!isType && moduleSpecifier && ts.isStringLiteral(moduleSpecifier)) values.add(moduleSpecifier.text);
  }
  const later = [...text.matchAll(/\bimport\(\s*"([^"]+)"/g)].map((match) => match[1]!);
  for (const specifier of later) values.add(specifier);
  return { path, imports, types: imports.filter((specifier) => !values.has(specifier)) };
}

/** Returns the paths of the files in a folder, from the root of the repository. */
function list(root: string, folder: string, recursive = false): string[] {
  if (!existsSync(join(root, folder))) return [];
  const names = readdirSync(join(root, folder), { recursive, encoding: "utf8" });
  return names.map((name) => join(folder, name)).sort();
}
