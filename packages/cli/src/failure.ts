/** The failure of a command, as shown at the terminal: only its message is printed. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
  readonly exitCode: number;

  constructor(message: string, exitCode: number, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** Wrong usage: exit code 2. */
export function usageFailure(message: string): CommandFailure {
  return new CommandFailure(message, 2);
}

/** The command failed: exit code 1. */
export function failure(message: string, cause?: unknown): CommandFailure {
  return new CommandFailure(message, 1, { cause });
}

/** The message of an error, on one line. */
export function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\s*\n\s*/g, " ");
}
