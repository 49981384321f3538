import { getSystemErrorMap } from "node:util";

/**
 * Returns the message of an operating system error without paths, such as "No space left on device"; null for any other
 * error. An error has its name (`ENOSPC`) or its number (28) as `code`.
 */
export function describeSystemError(error: unknown): string | null {
  const code = error instanceof Error && "code" in error ? error.code : error;
  for (const [number, [name, message]] of getSystemErrorMap()) {
    if (code === name || code === -number)
      return message.replace(/^i\/o/, "I/O").replace(/^./, (first) => first.toUpperCase());
  }
  return null;
}
