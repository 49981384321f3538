import { createInterface } from "node:readline/promises";

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
