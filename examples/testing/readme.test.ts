import { execFile, execFileSync, spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const ASSAY = process.env.ASSAY_TEST_BUILT
  ? "node packages/cli/bin/assay.mjs"
  : "node --import tsx --conditions=@assay/source packages/cli/src/assay.child.ts";
const PASSWORD = "a-password-of-tests";

/** The fenced blocks of the tour, in order: what is typed and what is shown. */
async function tour(): Promise<{ language: string; text: string }[]> {
  const readme = await readFile(join(ROOT, "README.md"), "utf8");
  const section = readme.slice(readme.indexOf("## Five minutes"), readme.indexOf("## In your code"));
  return [...section.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language = "", text = ""]) => ({ language, text }));
}

function has(command: string): boolean {
  try {
    execFileSync(command, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const ready = has("bash") && has("curl");
if (!ready) {
  const reason = "The tour of the README is not run: it needs bash and curl";
  if (process.env.CI === "true") throw new Error(reason);
  console.warn(reason);
}

test.runIf(ready)(
  "the tour of the README, typed word for word, answers what the README shows",
  async () => {
    const data = await mkdtemp(join(tmpdir(), "assay-tour-"));
    const [node = "", ...words] = [...ASSAY.split(" "), "serve", "--port", "0", "--data", data];
    const server = spawn(node, words, { cwd: ROOT, env: { ...process.env, ASSAY_ADMIN_PASSWORD: PASSWORD } });
    try {
      const url = await new Promise<string>((resolve, reject) => {
        server.once("close", () => reject(new Error("serve has ended")));
        server.stdout.on("data", (chunk) => {
          const [, found] = /ready at (http:\S+)/.exec(String(chunk)) ?? [];
          if (found) resolve(found);
        });
      });
      const blocks = (await tour()).slice(1);
      const script = blocks
        .filter(({ language }) => language === "sh")
        .map(({ text }) => text)
        .join("\n")
        .replace("http://127.0.0.1:4400", url)
        .replace(/^PASSWORD=\S+/m, `PASSWORD=${PASSWORD}`)
        .replace("node packages/cli/bin/assay.mjs import", `${ASSAY} import --url ${url}`);
      const { stdout } = await promisify(execFile)("bash", ["-euc", script], { cwd: ROOT });
      const steady = (text: string) =>
        text
          .replace(/^(90,189 rows in) .*$/m, "$1 …")
          .trim()
          .split(/\s*\n/);
      const shown = blocks.filter(({ language }) => language !== "sh").map(({ text }) => text);
      expect(steady(stdout)).toEqual(steady(shown.join("")));
    } finally {
      server.kill("SIGKILL");
      await rm(data, { recursive: true, force: true });
    }
  },
  120_000,
);
