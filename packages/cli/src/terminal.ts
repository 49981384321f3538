import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { CommandFailure } from "./failure.ts";

/** Where a person answers: standard input and standard error, so that standard output has only results. */
export interface Terminal {
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  output: NodeJS.WritableStream;
}

/** Returns the terminal of this process; null if nobody can answer. */
export function findTerminal(): Terminal | null {
  return process.stdin.isTTY && process.stderr.isTTY ? { input: process.stdin, output: process.stderr } : null;
}

/** Asks a question, and returns whether the answer is yes. */
export async function confirm(terminal: Terminal, question: string): Promise<boolean> {
  const answers = createInterface(terminal);
  try {
    return /^y(es)?$/i.test((await answers.question(`${question} [y/N] `)).trim());
  } finally {
    answers.close();
  }
}

/** Asks for a secret, of which the terminal shows nothing. @throws {CommandFailure} if the person presses Ctrl-C */
export async function askSecret({ input, output }: Terminal, question: string): Promise<string> {
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  // As on a terminal, so that readline itself echoes, into nothing.
  const answers = createInterface({ input, output: hidden, terminal: true });
  const stopped = new Promise<never>((_, reject) => {
    answers.once("SIGINT", () => reject(new CommandFailure("", 130)));
    answers.once("close", () => reject(new CommandFailure("No password was given", 1)));
  });
  try {
    output.write(question);
    return await Promise.race([answers.question(""), stopped]);
  } finally {
    output.write("\n");
    answers.close();
  }
}
