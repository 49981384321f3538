import { type ChildProcess, spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";

/** The timeout of a block of commands, in milliseconds. */
const MAX_MS = 900_000;
/** Ends the output of a block of commands, before the folder in which they end. */
const MARK = "=== typed in ";

/** A shell in which a reader types the blocks of a page, one after the other. */
export interface Terminal {
  /** The folder of the last command. */
  folder(): string;
  /**
   * Types commands, and returns what they print.
   * @throws Error with the output if one fails
   */
  type(commands: string): Promise<string>;
  /**
   * Types commands of which the last one keeps running.
   * @throws Error with the output if it ends, or does not print these lines
   */
  serve(commands: string, lines: string): Promise<void>;
  close(): void;
}

export function openTerminal(folder: string, scratch: string, env: NodeJS.ProcessEnv): Terminal {
  // A separate process group, so that servers end with their terminal.
  const shell = spawn("bash", ["--norc", "-eo", "pipefail"], { cwd: folder, env, detached: true });
  shell.stdin.write("exec 2>&1\n");
  let output = "";
  let current = folder;
  shell.stdout.on("data", (chunk) => {
    output += stripVTControlCharacters(String(chunk));
  });

  async function type(commands: string): Promise<void> {
    output = "";
    const script = join(scratch, "block.sh");
    await writeFile(script, commands);
    // Commands that read would take the next block otherwise.
    shell.stdin.write(`. ${script} </dev/null; printf '\\n%s%s\\n' '${MARK}' "$PWD"\n`);
  }

  async function until<T>(commands: string, find: () => T | undefined): Promise<T> {
    for (const last = Date.now() + MAX_MS; ; await pause(100)) {
      const found = find();
      if (found !== undefined) return found;
      const hasEnded = shell.exitCode !== null || shell.signalCode !== null;
      if (hasEnded || Date.now() > last) {
        throw new Error(`${hasEnded ? "This failed" : "This takes too long"}:\n${commands}\nIt printed:\n${output}`);
      }
    }
  }

  return {
    folder: () => current,
    async type(commands) {
      await type(commands);
      const [, printed = "", where = ""] = await until(
        commands,
        () => new RegExp(`^(.*)\n${MARK}(.*)\n$`, "s").exec(output) ?? undefined,
      );
      current = where;
      return printed;
    },
    async serve(commands, lines) {
      await type(commands);
      const wanted = lines.trim().split("\n").map(squeeze);
      await until(commands, () => {
        if (output.includes(MARK)) throw new Error(`This does not keep running:\n${commands}\nIt printed:\n${output}`);
        return wanted.every((line) => squeeze(output).includes(line)) || undefined;
      });
    },
    close: () => end(shell),
  };
}

const squeeze = (text: string) => text.trim().replaceAll(/\s+/g, " ");

function end({ pid }: ChildProcess): void {
  try {
    if (pid) process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}
