/** The failure of a command. The terminal shows only its message. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
  readonly exitCode: number;

  constructor(message: string, exitCode: number, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** Creates the failure of wrong usage, with exit code 2. */
export function usageFailure(message: string): CommandFailure {
  return new CommandFailure(message, 2);
}

/** Creates the failure of a command, with exit code 1. */
export function failure(message: string, cause?: unknown): CommandFailure {
  return new CommandFailure(message, 1, { cause });
}

/** Returns the message of an error on one line. */
export function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\s*\n\s*/g, " ");
}
