import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
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

/**
 * A prelude that records the words of each program in a file, instead of running it. Each process has a file of its own,
 * because those of a pipeline write at the same time.
 */
const RECORD = `command_not_found_handle() { printf '%s\\0' "$#" "$@" >>"$RECORDS/$BASHPID"; }\nPATH=/nowhere\n`;

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
  const records = mkdtempSync(join(cwd, "records-"));
  const { stderr, error } = spawnSync("/bin/bash", ["--norc", "-c", `${RECORD}${text}`], {
    cwd,
    env: { ...VARIABLES, RECORDS: records },
    input: "",
    encoding: "utf8",
  });
  if (error) throw error;
  if (/syntax error|unexpected EOF/.test(stderr)) throw new Error(`${page}: ${stderr}\n${text}`);
  return readdirSync(records).flatMap((file) => parseRecords(page, readFileSync(join(records, file), "utf8")));
}

/** Parses the records of one process: the number of words, and each word, all ended by a zero. */
function parseRecords(page: string, text: string): Command[] {
  const parts = text.split("\0");
  const commands: Command[] = [];
  for (let at = 0; at < parts.length - 1; ) {
    const count = Number(parts[at++]);
    commands.push({ page, words: parts.slice(at, at + count) });
    at += count;
  }
  return commands;
}
