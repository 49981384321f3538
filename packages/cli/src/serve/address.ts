import { usageFailure } from "../failure.ts";

/**
 * Takes a parameter that is true or false out of an address; undefined if there is none.
 * @param setting the flag or variable with the address
 * @throws {CommandFailure} if it is anything else
 */
export function takeBoolean(url: URL, parameter: string, setting: string): boolean | undefined {
  const value = url.searchParams.get(parameter) ?? undefined;
  url.searchParams.delete(parameter);
  if (value === undefined) return undefined;
  if (value === "true" || value === "false") return value === "true";
  throw usageFailure(`${parameter} in ${setting} must be true or false, not "${value}"`);
}

/** Decodes a part of an address. @throws {CommandFailure} if it has a % that encodes nothing */
export function decodePart(text: string, setting: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw usageFailure(`${setting} has a % that is not followed by two hexadecimal digits; write %25 for a %`);
  }
}

/** Checks the credentials in the address of a Redis. @throws {CommandFailure} if they cannot be decoded */
export function checkCredentials({ username, password }: URL, setting: string): void {
  for (const part of [username, password]) decodePart(part, setting);
}
