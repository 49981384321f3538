import { execFile } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import ts from "typescript";

const repository = fileURLToPath(new URL("../../../", import.meta.url));
const LEFT_OUT = new Set(["node_modules", "dist", "bench"]);
/** The part of `pnpm generate` that recipes need. The command also reports on every package and takes longer. */
const GENERATE = `import { contract } from "@assay/contract";
import { generateFiles, writeFiles } from "./generated-files.ts";
await writeFiles(process.cwd(), await generateFiles(contract));
`;

/** Returns the code that CONTRIBUTING prints under a heading, in its order. Each snippet ends with a line feed. */
export function readSnippets(heading: string): string[] {
  const text = fs.readFileSync(join(repository, "CONTRIBUTING.md"), "utf8");
  const [, section] = text.split(`\n## ${heading}\n`);
  if (section === undefined) throw new Error(`CONTRIBUTING has no recipe "${heading}"`);
  return [...section.split("\n## ")[0]!.matchAll(/^```\w+\n([\s\S]*?)^```$/gm)].map((match) => match[1]!);
}

/** A copy of the packages of the repository to try a recipe on. Paths are from its root. */
export interface Scratch {
  read(path: string): string;
  write(path: string, text: string): void;
  /** Puts a snippet in front of a text of the file. */
  insert(path: string, snippet: string, before: string): void;
  /** Replaces a part of the file with a snippet. */
  replace(path: string, pattern: RegExp, snippet: string): void;
  /** Returns the compiler errors of the files and all their imports. */
  diagnose(...paths: string[]): string[];
  /** Writes the files derived from the contract. */
  generate(): Promise<void>;
  /** Runs a script with the sources of the packages. Rejects with its output if it fails. */
  run(path: string): Promise<void>;
  /** Runs test files of one package. Rejects with their output if one fails. */
  test(project: string, ...paths: string[]): Promise<void>;
  remove(): void;
}

export function createScratch(): Scratch {
  const root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "assay-recipe-")));
  const at = (path: string) => join(root, path);
  const filter = (path: string) => !LEFT_OUT.has(basename(path));
  for (const name of ["package.json", "tsconfig.json", "vitest.config.ts", "vitest.setup.ts", "vitest.workspace.ts"]) {
    fs.cpSync(join(repository, name), at(name));
  }
  fs.cpSync(join(repository, "packages"), at("packages"), { recursive: true, filter });
  for (const folder of ["", ...fs.readdirSync(at("packages")).map((name) => `packages/${name}`)]) {
    linkModules(join(repository, folder, "node_modules"), at(join(folder, "node_modules")));
  }

  function change(path: string, from: string | RegExp, to: string): void {
    const text = fs.readFileSync(at(path), "utf8");
    const changed = text.replace(from, () => to);
    if (changed === text) throw new Error(`${path} has no ${from}`);
    fs.writeFileSync(at(path), changed);
  }

  async function execute(...args: string[]): Promise<void> {
    // Drops the variables that the test runner sets for its own processes. The copy is not built.
    const own = Object.entries(process.env).filter(
      ([name]) => !/^(VITEST|NODE_OPTIONS|FORCE_COLOR|ASSAY_TEST_BUILT)/.test(name),
    );
    const env = { ...Object.fromEntries(own), FUZZ_SEED: "1" };
    await promisify(execFile)(process.execPath, args, { cwd: root, env }).catch((error) => {
      throw new Error(`${error.stdout}${error.stderr}`);
    });
  }

  const run = (path: string) => execute("--conditions=@assay/source", "--import", "tsx", path);

  return {
    read: (path) => fs.readFileSync(at(path), "utf8"),
    write(path, text) {
      fs.mkdirSync(dirname(at(path)), { recursive: true });
      fs.writeFileSync(at(path), text);
    },
    insert: (path, snippet, before) => change(path, before, snippet + before),
    replace: change,
    diagnose(...paths) {
      const { config } = ts.readConfigFile(at("tsconfig.json"), ts.sys.readFile);
      const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
      const program = ts.createProgram(paths.map(at), options);
      return paths
        .map((path) => program.getSourceFile(at(path))!)
        .flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)])
        .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
    },
    async generate() {
      const script = "packages/workspace/src/generate-from-contract.ts";
      fs.writeFileSync(at(script), GENERATE);
      await run(script);
    },
    run,
    test: (project, ...paths) => execute("node_modules/vitest/vitest.mjs", "run", "--project", project, ...paths),
    remove: () => fs.rmSync(root, { recursive: true }),
  };
}

/** Copies a folder of modules. Links to our packages are relative, so they lead to the copy. */
function linkModules(from: string, to: string): void {
  fs.mkdirSync(join(to, "@assay"), { recursive: true });
  for (const name of list(from)) {
    if (name !== "@assay") fs.symlinkSync(join(from, name), join(to, name));
  }
  for (const name of list(join(from, "@assay"))) {
    fs.symlinkSync(fs.readlinkSync(join(from, "@assay", name)), join(to, "@assay", name));
  }
}

function list(folder: string): string[] {
  try {
    return fs.readdirSync(folder).filter((name) => !name.startsWith("."));
  } catch {
    // A package without dependencies has no folder of modules.
    return [];
  }
}
