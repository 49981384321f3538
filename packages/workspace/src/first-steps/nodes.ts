import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { run } from "./ground/command.ts";

/** The major versions in `engines` of the packages. Each stands for the newest of its line. */
export const VERSIONS = ["20", "22", "24", "26"];

/** A version of Node, and an environment where `node` is that version. */
export interface NodeVersion {
  /** The version as requested. */
  name: string;
  /** Whether this version runs the script. If so, it has also run `npm test`. */
  isOwn: boolean;
  env: NodeJS.ProcessEnv;
}

const [OWN = ""] = process.versions.node.split(".");
const { XDG_CACHE_HOME = join(homedir(), ".cache"), ASSAY_NODES = join(XDG_CACHE_HOME, "assay-nodes") } = process.env;

/**
 * Finds Node "22" or "22.12.0". It installs missing versions from npm into ASSAY_NODES, as `node22` and so on. The Node
 * that runs this script serves as its major version.
 */
export async function findNodes(versions: string[]): Promise<NodeVersion[]> {
  const others = versions.filter((name) => name !== OWN);
  const binOf = (name: string) => join(ASSAY_NODES, "node_modules", `node${name}`, "bin");
  if (others.some((name) => !existsSync(join(binOf(name), "node")))) {
    await mkdir(ASSAY_NODES, { recursive: true });
    const packages = others.map((name) => `node${name}@npm:node-${process.platform}-${process.arch}@${name}`);
    await run(`npm install --no-save --ignore-scripts --prefix . ${packages.join(" ")}`, { cwd: ASSAY_NODES });
  }
  return Promise.all(
    versions.map(async (name) => {
      const bin = name === OWN ? dirname(process.execPath) : binOf(name);
      const env = { PATH: `${bin}${delimiter}${process.env.PATH}` };
      const found = (await run("node --version", { cwd: bin, env })).trim();
      if (!found.startsWith(`v${name}.`) && found !== `v${name}`) throw new Error(`Node ${name} is ${found}`);
      return { name, isOwn: name === OWN, env };
    }),
  );
}
