/** Reads values between commas: "a, b" becomes a and b. */
export const toList = (text: string) => distinct(text.split(","));

/** Reads one value per line. */
export const toLines = (text: string) => distinct(text.split("\n"));

function distinct(parts: readonly string[]): string[] {
  return [...new Set(parts.map((part) => part.trim()).filter((part) => part !== ""))];
}
