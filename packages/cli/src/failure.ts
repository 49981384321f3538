/** The end of a command, as the person at the terminal reads it: its message is all that is shown. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
  readonly exitCode: number;

  constructor(message: string, exitCode: number, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** The command was asked wrongly: exit code 2. */
export function usageFailure(message: string): CommandFailure {
  return new CommandFailure(message, 2);
}

/** The command was asked rightly and could not do it: exit code 1. */
export function failure(message: string, cause?: unknown): CommandFailure {
  return new CommandFailure(message, 1, { cause });
}

/** The words of an error, on one line. */
export function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\s*\n\s*/g, " ");
}
