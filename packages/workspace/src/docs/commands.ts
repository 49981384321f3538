import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Block, readBlocks } from "./blocks.ts";

/** A command of a page, in words as the shell passes them on. */
export interface Command {
  page: string;
  words: string[];
}

/** What the pages leave to the reader, such as the address of the server. */
const VARIABLES = {
  API: "http://127.0.0.1:4400/api/v1",
  ASSAY: "http://127.0.0.1:4400",
  URL: "http://127.0.0.1:4400",
  CONNECTION: "0198c2d0-0000-7000-8000-000000000000",
  ID: "0198c2d0-0000-7000-8000-000000000000",
};

/** A prelude that records each program with its number of words and its words, instead of running it. */
const RECORD = `command_not_found_handle() { printf '%s\\0' "$#" "$@" >&3; }\nPATH=/nowhere\n`;

/**
 * Returns the commands of all shell blocks. Bash reads them, so quotes, variables and continued lines count as they do
 * there; the blocks of a page share their variables and functions.
 */
export async function readCommands(): Promise<Command[]> {
  const pages = new Map<string, string>();
  for (const block of await readBlocks()) {
    if (block.language === "sh") pages.set(block.page, `${pages.get(block.page) ?? ""}${typed(block)}\n`);
  }
  const folder = mkdtempSync(join(tmpdir(), "assay-docs-"));
  try {
    return [...pages].flatMap(([page, text]) => record(page, text, folder));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns what a reader types. In a transcript, commands follow a prompt; the rest is output. */
function typed({ text }: Block): string {
  const prompted = [...text.matchAll(/^\$ (.*)$/gm)].map(([, line = ""]) => line);
  return prompted.length > 0 ? prompted.join("\n") : text;
}

function record(page: string, text: string, cwd: string): Command[] {
  const { output, stderr, error } = spawnSync("/bin/bash", ["--norc", "-c", `${RECORD}${text}`], {
    cwd,
    env: VARIABLES,
    input: "",
    stdio: ["pipe", "ignore", "pipe", "pipe"],
    encoding: "utf8",
  });
  if (error) throw error;
  if (/syntax error|unexpected EOF/.test(stderr)) throw new Error(`${page}: ${stderr}\n${text}`);
  const recorded = (output[3] ?? "").split("\0");
  const commands: Command[] = [];
  for (let at = 0; at < recorded.length - 1; ) {
    const count = Number(recorded[at++]);
    commands.push({ page, words: recorded.slice(at, at + count) });
    at += count;
  }
  return commands;
}
