import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { run } from "../cli.fixture.ts";

const execute = promisify(execFile);
/** The shells that are installed here. */
const installed = (process.env.ASSAY_TEST_SHELLS ?? "bash").split(" ");

/** Asks each shell itself what it offers after a line; the last word is the one to complete. */
const ASK: Record<string, (script: string, words: string[]) => string> = {
  bash: (script, words) =>
    `${script}\nCOMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}; _assay; printf '%s\\n' "\${COMPREPLY[@]}"`,
  zsh: (script, words) =>
    // The parts of zsh's completion system that the script calls, which needs a terminal.
    `_describe() { print -l -- \${(P)2} }; _files() { }; compdef() { }\n${script}\nwords=(${words.map((word) => `'${word}'`).join(" ")}); CURRENT=${words.length}; _assay`,
  fish: (script, words) => `${script}\ncomplete -C '${words.join(" ")}'`,
};

test.each(["", "tcsh"])("rejects the shell %j", async (shell) => {
  expect(await run(["completion", ...(shell ? [shell] : [])])).toEqual({
    code: 2,
    output: "assay: Specify a shell: bash, zsh, fish\n",
  });
});

describe.each(Object.keys(ASK))("in %s", (shell) => {
  let script: string;
  beforeAll(async () => {
    ({ output: script } = await run(["completion", shell]));
  });
  /** Returns the offered words that start with the last one. zsh selects them itself, so they are selected here. */
  async function offered(...words: string[]): Promise<string[]> {
    const { stdout } = await execute(shell, ["-c", ASK[shell]!(script, ["assay", ...words])]);
    const all = stdout.split("\n").map((line) => line.split(/[\t:]/)[0]!);
    return all.filter((word) => word.startsWith(words.at(-1)!) && word !== "");
  }

  test.skipIf(!installed.includes(shell))("commands, tasks and options are offered, each where it fits", async () => {
    expect(await offered("ser")).toEqual(["serve"]);
    expect(await offered("")).toEqual(expect.arrayContaining(["serve", "flags", "experiments", "completion"]));
    expect((await offered("flags", "")).sort()).toEqual(["create", "kill", "list", "set", "show", "stale"]);
    expect(await offered("flags", "k")).toEqual(["kill"]);
    expect(await offered("flags", "kill", "--rea")).toEqual(["--reason"]);
    expect(await offered("flags", "kill", "my-flag", "--reason", "x", "--js")).toEqual(["--json"]);
    expect(await offered("keys", "l")).toEqual(["list"]);
    expect(await offered("flags", "list", "--rea")).toEqual([]);
    // A word that is also a command, as the value of an option.
    expect(await offered("serve", "--data", "flags", "--por")).toEqual(["--port"]);
  });
});
